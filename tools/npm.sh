#!/bin/sh
# npm with the machine's Node, or, where there is none or an old one, with one that pip installs.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
env=$here/.venv-node

enough='const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
if command -v npm >/dev/null 2>&1 && node -e "$enough" 2>/dev/null; then
    exec npm "$@"
fi
if [ ! -e "$env/.ready" ]; then
    echo "Node 20.19 or newer is missing: installing it into .venv-node"
    "$here/tools/new_env.sh" "${PYTHON:-python3}" "$env" "$here/requirements/node.txt"
fi
PATH="$env/bin:$PATH" exec npm "$@"
