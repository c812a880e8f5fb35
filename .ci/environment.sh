#!/bin/sh
# Make the environment Headroom runs in, from the locks, unless it is there:
#   environment.sh run    what it needs to run
#   environment.sh dev    that, and what its tests and checks need
#   environment.sh tools  uv alone
# Nothing is installed outside .tools and .venv.
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-run}
uv_version=0.13.8

stop() {
    echo "$*" >&2
    exit 1
}

find_python() {
    for name in python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

can_run() {
    [ -x "$1" ] && "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

# A stamp is a copy of the lock that was installed. The packages for tests include those for running.
is_current() {
    can_run .venv/bin/python && cmp -s requirements.txt .venv/requirements.txt &&
        { [ "$wanted" = run ] || cmp -s requirements-dev.txt .venv/requirements-dev.txt; }
}

# Byte code is made here, for many machines tell Python to keep none: each command would then compile all it loads.
# Where the checkout may not be written to, Headroom runs without.
compile_own() {
    .venv/bin/python -m compileall -qq apps worker testing || :
}

make_tools() {
    if command -v uv >/dev/null 2>&1; then
        uv=uv
        return
    fi
    uv=.tools/bin/uv
    if [ "$("$uv" --version 2>/dev/null | cut -d ' ' -f 2)" = "$uv_version" ]; then
        return
    fi
    "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        stop "Headroom needs Python's venv, which $python has not: install it (on Debian and Ubuntu: python3-venv) and try again."
    "$python" -m venv --clear .tools || stop "Headroom could not make its environment in $PWD/.tools."
    .tools/bin/pip install --quiet --disable-pip-version-check "uv==$uv_version" ||
        stop "Headroom could not install uv $uv_version: is the package index within reach?"
}

if [ "$wanted" != tools ] && is_current; then
    compile_own
    exit 0
fi

# one at a time, where the machine can see to it
if command -v flock >/dev/null 2>&1; then
    exec 9>.environment.lock
    flock 9
    if [ "$wanted" != tools ] && is_current; then
        compile_own
        exit 0
    fi
fi

python=$(find_python) || stop "Headroom needs Python 3.11, 3.12 or 3.13; found is $(python3 --version 2>/dev/null || echo none)."
make_tools
[ "$wanted" != tools ] || exit 0

echo "Installing what Headroom needs. This is done once." >&2
can_run .venv/bin/python || "$uv" venv --quiet --clear --no-project --python "$python" .venv ||
    stop "Headroom could not make its environment in $PWD/.venv."
[ ! -e .venv/requirements-dev.txt ] || wanted=dev # what was there for tests stays there
lock=requirements.txt
[ "$wanted" = run ] || lock=requirements-dev.txt
rm -f .venv/requirements.txt .venv/requirements-dev.txt
"$uv" pip sync --quiet --require-hashes --compile-bytecode --python .venv/bin/python "$lock" ||
    stop "Headroom could not install its packages: the lines above say why."
cp requirements.txt .venv/requirements.txt
[ "$wanted" = run ] || cp requirements-dev.txt .venv/requirements-dev.txt
compile_own
