# Makes the environment that `run` and `test` use, in .venv, from Python 3.11+ alone. To be sourced.
#
# environment EXTRA PACKAGE… installs this checkout (with the optional extra "test") unless it is
# installed already, and the Debian packages that are missing, where we may. Nothing is run here.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

# The newest Python that is new enough; the one of an active environment counts like any other.
find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    die "LanUNO needs Python 3.11 or newer (on Debian: apt-get install python3)."
}

# Run as root, if there is a way that asks nothing.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        return 1
    fi
}

# Install Debian packages; fails, after naming them, where that is not possible.
apt_install() {
    local log
    if command -v apt-get >/dev/null; then
        log=$(mktemp)
        say "installing: $*"
        if as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >"$log" 2>&1 &&
            as_root env DEBIAN_FRONTEND=noninteractive \
                apt-get -qq install -y --no-install-recommends "$@" >>"$log" 2>&1; then
            rm -f "$log"
            return
        fi
        cat "$log" >&2
        rm -f "$log"
    fi
    say "please install: $*   (on Debian: sudo apt-get install $*)"
    return 1
}

# Install those of the given Debian packages that are missing; going on without them is allowed.
want_packages() {
    local name missing=()
    command -v dpkg-query >/dev/null || return 0
    for name in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$name" 2>/dev/null) in
        *" installed") ;;
        *) missing+=("$name") ;;
        esac
    done
    [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" || say "going on without: ${missing[*]}"
}

# Install the system libraries that Qt's window needs, if any of them is missing; going on without
# is allowed. Asks the loader instead of dpkg: Debian renames these packages from time to time.
want_window() {
    local qt
    qt=$("$venv/bin/python" -c 'import PySide6; print(PySide6.__path__[0])') || return 0
    if ldd "$qt"/Qt{Quick,Widgets}.abi3.so "$qt"/Qt/plugins/platforms/libq{xcb,wayland*}.so \
        2>/dev/null | grep -q 'not found'; then
        apt_install libegl1 libgl1 libgl1-mesa-dri libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 \
            libfontconfig1 libfreetype6 libglib2.0-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 \
            libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 \
            libxcb-xkb1 libwayland-cursor0 libwayland-egl1 || say "going on: a window may not open"
    fi
}

make_venv() {
    local python=$1
    rm -rf "$venv"
    # Without python3-venv Debian's Python has `venv`, but not what it needs to put pip inside.
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        apt_install python3-venv || die "Python's venv is missing and could not be installed."
    fi
    "$python" -m venv "$venv"
}

# Everything that decides what has to be installed, as one line.
wanted_state() {
    local extra=$1
    {
        cat "$root/pyproject.toml"
        printf '%s\n' "$root" "$extra"
        "$venv/bin/python" -c 'import sys; print(sys.version)'
    } | sha256sum | cut -d' ' -f1
}

environment() {
    local extra=$1 python stamp
    stamp=$venv/.lanuno-${extra:-run}
    if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
        python=$(find_python)
        say "making an environment in .venv …"
        make_venv "$python"
    fi
    if [ "$(cat "$stamp" 2>/dev/null)" != "$(wanted_state "$extra")" ]; then
        say "installing what LanUNO needs into .venv …"
        "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input \
            -e "$root${extra:+[$extra]}" || die "pip could not install it; see above."
        wanted_state "$extra" >"$stamp"
    fi
}
