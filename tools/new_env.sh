#!/bin/sh
# Makes a fresh environment with the versions of a lock: new_env.sh PYTHON FOLDER LOCK
set -eu
python=$1 folder=$2 lock=$3

"$python" -c 'import sys; sys.version_info >= (3, 11) or sys.exit(
    "Branchline needs Python 3.11 or newer; name one with: make PYTHON=python3.11")'
echo "Installing $lock into $folder"
"$python" -m venv --clear "$folder"
PIP_DISABLE_PIP_VERSION_CHECK=1 "$folder/bin/python" -m pip --no-input --quiet install \
    --require-hashes -r "$lock"
touch "$folder/.ready"
