#!/bin/sh
# Build .venv from requirements.lock: with uv when it is present, with venv and pip otherwise.
# What Debian has to offer besides is installed when we may, and done without when we may not.
set -eu
python=${1:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Parlour needs Python 3.11 or newer; $python is $("$python" --version 2>&1). Try: make PYTHON=python3.12 ..." >&2
    exit 1
}

# debian PACKAGE: install it, if this is Debian and we are root.
debian() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

echo "Setting up .venv (once; later runs need no network) ..."
command -v node >/dev/null 2>&1 || debian nodejs || {
    echo "There is no Node here, so the example in JavaScript is not tried. On Debian: apt-get install nodejs" >&2
}

# The tests start a database of their own; Debian's must not start one, nor make a cluster for it.
postgresql() {
    debian postgresql-common || return 1
    sed -i 's/^#*create_main_cluster .*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf || return 1
    debian postgresql
}
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || postgresql || {
    echo "There is no PostgreSQL here, so a store in it is not tried. On Debian: apt-get install postgresql" >&2
}

command -v chromium >/dev/null 2>&1 || debian chromium || {
    echo "There is no Chromium here, so the page is not tried in a browser. On Debian: apt-get install chromium" >&2
}

# Compiled wheels need a C compiler, and Python.h, which Debian ships apart from Python itself.
has_header() {
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.isfile(sysconfig.get_path("include") + "/Python.h"))'
}
{ command -v cc >/dev/null 2>&1 || { debian gcc && debian libc6-dev; }; } && { has_header || debian python3-dev; } || {
    echo "There is no C compiler or no Python.h here, so wheels are not compiled. On Debian: apt-get install gcc libc6-dev python3-dev" >&2
}

if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --clear --python "$python" .venv
    uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements.lock
    uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation -e .
    exit
fi

# Debian ships venv apart from Python itself.
"$python" -c 'import ensurepip, venv' 2>/dev/null || debian python3-venv || {
    echo "Python's venv module is missing. On Debian: apt-get install python3-venv" >&2
    exit 1
}
"$python" -m venv --clear .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
