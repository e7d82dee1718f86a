#!/bin/sh
# Installs the programs that some tests need and pip can't bring: a PostgreSQL server and a browser.
# Does nothing where they are present. Where they can't be installed, the tests say what is missing.
set -u

missing=""
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
    || missing="$missing postgresql"
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 \
    || command -v google-chrome >/dev/null 2>&1 || missing="$missing chromium"
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
    echo "Please install:$missing (tests that need them will fail)" >&2
    exit 0
fi

echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
for package in $missing; do
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 \
        || { apt-get update -qq >/dev/null 2>&1 \
            && apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1; } \
        || echo "$package could not be installed (tests that need it will fail)" >&2
done
