#!/bin/sh
# Runs the tests that meet other packages with the lowest versions that pyproject.toml allows, in an
# environment of its own. Names of tests may follow; deprecations of old versions are not our concern.
set -eu
cd "$(dirname "$0")/.."
venv=.venv-lowest
"${PYTHON:-python3}" -m venv --clear "$venv"
"$venv/bin/python" -m pip --quiet --disable-pip-version-check install uv
"$venv/bin/uv" pip compile --quiet --no-config --resolution lowest-direct --python "$venv/bin/python" \
    --extra serve --extra lab --extra tui pyproject.toml --output-file "$venv/lowest.txt" >/dev/null
"$venv/bin/uv" pip install --quiet --no-config --python "$venv/bin/python" \
    --requirement "$venv/lowest.txt" pytest hypothesis networkx
[ $# -gt 0 ] || set -- tests/test_cli.py tests/test_maps.py tests/test_records.py tests/tui \
    tests/test_lab_reports.py tests/test_lab_simulate.py tests/test_lab_stats.py \
    tests/service/test_middleware.py tests/service/test_metrics.py tests/service/test_notices.py \
    tests/service/test_play.py tests/service/test_seats.py tests/service/test_settings.py \
    tests/service/test_storage.py tests/service/test_web_push.py tests/service/test_channels.py
PYTHONPATH=src "$venv/bin/python" -m pytest -q -p no:cacheprovider -o filterwarnings=default "$@"
