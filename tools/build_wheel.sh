#!/bin/sh
# Builds the wheel with the locked compiler of an environment: build_wheel.sh ENVIRONMENT FOLDER
set -eu
env=$1 folder=$2

rm -rf "$folder"/*.whl build src/*.egg-info
echo "Building the package"
env -u BRANCHLINE_PURE PIP_DISABLE_PIP_VERSION_CHECK=1 "$env/bin/python" -m pip --no-input --quiet \
    wheel --no-build-isolation --no-deps --wheel-dir "$folder" .
rm -rf build src/*.egg-info
