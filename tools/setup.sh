#!/bin/sh
# Build .venv from requirements.lock: with uv when it is present, with venv and pip otherwise.
set -eu
python=${1:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Parlour needs Python 3.11 or newer; $python is $("$python" --version 2>&1). Try: make PYTHON=python3.12 ..." >&2
    exit 1
}

echo "Setting up .venv (once; later runs need no network) ..."
if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --clear --python "$python" .venv
    uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements.lock
    uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation -e .
    exit
fi

# Debian ships venv apart from Python itself.
"$python" -c 'import ensurepip, venv' 2>/dev/null || {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq
        apt-get install -y -qq python3-venv
    else
        echo "Python's venv module is missing. On Debian: apt-get install python3-venv" >&2
        exit 1
    fi
}
"$python" -m venv --clear .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
