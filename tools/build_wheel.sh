#!/bin/sh
# Builds the wheel with the locked compiler: build_wheel.sh PYTHON ENVIRONMENT FOLDER
# In ENVIRONMENT if that exists, else in one that is removed afterwards.
set -eu
python=$1 env=$2 folder=$3

if [ ! -e "$env/.ready" ]; then
    env=$folder/env
    trap 'rm -rf "$env"' EXIT
    "$(dirname "$0")/new_env.sh" "$python" "$env" requirements/build.txt
fi
rm -rf "$folder"/*.whl build src/*.egg-info
echo "Building the package"
env -u BRANCHLINE_PURE PIP_DISABLE_PIP_VERSION_CHECK=1 "$env/bin/python" -m pip --no-input --quiet \
    wheel --no-build-isolation --no-deps --wheel-dir "$folder" .
rm -rf build src/*.egg-info
