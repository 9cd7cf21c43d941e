# shellcheck shell=bash
# Prepares what `run` and `test` need: a virtual environment in .venv, and Debian packages. Source
# this file; it starts nothing.
#
#   environment EXTRA          installs this checkout into .venv, with the locked versions of what it
#                              needs: "checkout", or "test", which includes it
#   newest_environment         installs this checkout for its tests into build/newest, with the
#                              newest versions that pyproject.toml admits
#   want_packages PACKAGE…     installs the Debian packages that are missing
#   want_window                installs the system libraries that Qt's window needs
#
# The last two name what is missing, and fail, if it cannot be installed. packaging/lock renews the
# locked versions.

# Settings for other programs must not influence what is installed and loaded here.
unset PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX
export PIP_USER=0
# A program that may not keep its compiled modules takes twice as long to start.
unset PYTHONDONTWRITEBYTECODE
# Python reads .pth files in the encoding of the locale.
case $(locale charmap 2>/dev/null || true) in ANSI_X3.4-1968) export PYTHONUTF8=1 ;; esac

root=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
venv=$root/.venv

# Exit code of a failed set-up. `lanuno` uses it for problems with this computer's files.
SETUP_FAILED=6

# Debian packages with the libraries of Qt's xcb and wayland plugins. Later releases have renamed
# some, but still provide these names.
WINDOW_PACKAGES=(libegl1 libgl1 libgl1-mesa-dri libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3
    libfontconfig1 libfreetype6 libglib2.0-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0
    libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1 libwayland-cursor0
    libwayland-egl1)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit "$SETUP_FAILED"
}

# The versions that requires-python in pyproject.toml names.
suits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null
}

# Print the path of a Python that suits: $PYTHON if set, else the default one, else another by name.
# A Python inside .venv cannot make a new .venv.
find_python() {
    local names=(python3 python3.13 python3.12 python3.11 python) name path
    [ -z "${PYTHON:-}" ] || names=("$PYTHON")
    for name in "${names[@]}"; do
        while read -r path; do
            case $path in "$venv"/*) continue ;; esac
            if suits "$path"; then
                printf '%s\n' "$path"
                return
            fi
        done < <(type -aP "$name")
    done
    return 1
}

# Run a command as root. sudo may ask for a password only if there is a terminal.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        return 1
    elif sudo -n true 2>/dev/null; then
        sudo -n "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        return 1
    fi
}

# Install Debian packages. If that is not possible, name them and fail.
apt_install() {
    local log
    if ! command -v apt-get >/dev/null; then
        say "please install what Debian calls: $*"
        return 1
    fi
    if as_root true; then
        log=$(mktemp)
        say "installing: $*"
        # A third-party source may be broken, which apt counts as a failure of the whole update.
        as_root apt-get -qq update >"$log" 2>&1 || true
        if as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
            -o DPkg::Options::=--force-confold install -y --no-install-recommends "$@" >>"$log" 2>&1; then
            rm -f "$log"
            return
        fi
        cat "$log" >&2
        rm -f "$log"
    fi
    say "please run as root: apt-get install $*"
    return 1
}

# Install those of the given Debian packages that are missing.
want_packages() {
    local name missing=()
    command -v dpkg-query >/dev/null || return 0
    for name in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$name" 2>/dev/null) in
        *" installed") ;;
        *) missing+=("$name") ;;
        esac
    done
    [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}"
}

# Print the libraries that Qt's window links to and that the loader does not find, one a line.
missing_libraries() {
    local qt
    qt=$("$venv/bin/python" -c 'import importlib.util as u
print(u.find_spec("PySide6").submodule_search_locations[0])')
    # Read the whole output: a reader that stops early would kill ldd, and fail the pipe.
    { LC_ALL=C ldd "$qt"/Qt{Quick,Widgets}.abi3.so "$qt"/Qt/plugins/platforms/libq{xcb,wayland*}.so \
        2>/dev/null || true; } |
        sed -n 's/^[[:space:]]*\([^[:space:]]*\) => not found.*/\1/p' | sort -u
}

# Install the system libraries that Qt's window needs, if any is missing. Asks the loader and not
# dpkg, because what counts is whether Qt can be loaded.
want_window() {
    local missing
    command -v ldd >/dev/null || return 0
    missing=$(missing_libraries)
    [ -n "$missing" ] || return 0
    apt_install "${WINDOW_PACKAGES[@]}" || true
    # Ignore apt's exit status: apt also fails because of a package that was broken before.
    missing=$(missing_libraries)
    [ -n "$missing" ] || return 0
    say "these libraries are missing: ${missing//$'\n'/, }"
    return 1
}

# Fail if the environment cannot be made or changed.
need_writable() {
    if [ -e "$venv" ] && [ -w "$root" ] && [ ! -w "$venv" ]; then
        die "$venv belongs to somebody else. Remove it (sudo rm -r '$venv') and start this again."
    elif [ ! -w "$root" ]; then
        die "LanUNO is installed into .venv in its own folder, and $root cannot be written to." \
            "Copy it to a folder of yours and start it there:
mkdir ~/lanuno && cp -r $(printf %q "$root")/. ~/lanuno && chmod -R u+w ~/lanuno && ~/lanuno/packaging/run"
    fi
}

make_venv() {
    local python package
    if [ -e "$venv" ] && ! compgen -G "$venv/.lanuno*" >/dev/null; then
        die "$venv has no pip, and LanUNO did not make it. Remove or rename it, and start this again."
    elif ! python=$(find_python); then
        [ -z "${PYTHON:-}" ] || die "PYTHON=$PYTHON is no Python 3.11, 3.12 or 3.13."
        apt_install python3 python3-venv || die "LanUNO needs Python 3.11, 3.12 or 3.13."
        python=$(find_python) || die "LanUNO needs Python 3.11, 3.12 or 3.13; this system has none."
    fi
    # Without python3-venv, Debian's Python has `venv`, but not what it needs to install pip.
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        apt_install "$package" || die "Python's venv is missing and could not be installed."
    fi
    rm -rf "$venv"
    mkdir -p "$venv"
    touch "$venv/.lanuno"
    "$python" -m venv "$venv" || die "The environment in $venv could not be made; see above."
}

# Print a hash of everything that decides what to install. Fails without Python in .venv. The
# program that compiles the languages is not included, because it runs at every start.
wanted_state() {
    "$venv/bin/python" -c 'import hashlib, sys
root, extra = sys.argv[1:]
wanted = hashlib.sha256(repr((root, extra, sys.version_info[:2])).encode())
for name in ("pyproject.toml", "packaging/build_hook.py", f"packaging/locked/{extra}.txt"):
    wanted.update(open(f"{root}/{name}", "rb").read())
print(wanted.hexdigest())' "$root" "$1" 2>/dev/null
}

is_installed() {
    local state
    state=$(wanted_state "$1") && [ "$(cat "$venv/.lanuno-$1" 2>/dev/null)" = "$state" ]
}

# Run pip in the environment, without its advice.
pip() {
    "$venv/bin/python" -m pip "$1" -qq --disable-pip-version-check --no-input "${@:2}" ||
        die "pip could not install it; see above."
}

# Install the locked versions of an extra, checking their hashes.
install_locked() { pip install --require-hashes -r "$root/packaging/locked/$1.txt"; }

install_checkout() {
    local extra=$1
    need_writable
    if ! suits "$venv/bin/python" || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        say "making an environment in .venv …"
        make_venv
    fi
    say "installing what LanUNO needs into .venv …"
    rm -f "$venv"/.lanuno-*
    install_locked "$extra"
    pip install --no-deps --no-build-isolation -e "$root"
    # The requirements of the tests include those of the program.
    wanted_state "$extra" >"$venv/.lanuno-$extra"
    wanted_state checkout >"$venv/.lanuno-checkout"
}

newest_environment() {
    venv=$root/build/newest
    rm -rf "$venv"
    say "installing the newest versions that pyproject.toml admits into build/newest …"
    make_venv
    pip install --upgrade pip
    pip install -e "${root}[test]"
    compile_languages
    say "other than in packaging/locked/test.txt:"
    "$venv/bin/python" -c 'import importlib.metadata, re, sys
locked = dict(re.findall(r"^([\w.-]+)==([^ ;]+)", open(sys.argv[1]).read(), re.MULTILINE))
for name, version in sorted(locked.items()):
    try:
        newest = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        continue  # for another system
    if newest != version:
        print(f"  {name} {version} -> {newest}")' "$root/packaging/locked/test.txt" >&2
    say "newer than is admitted here, or by what needs it:"
    "$venv/bin/python" -m pip list --outdated --disable-pip-version-check >&2
}

# The sources may have changed since the installation.
compile_languages() {
    "$venv/bin/python" "$root/packaging/compile_languages.py" ||
        die "The languages could not be compiled; see above."
}

environment() {
    local extra=$1
    if ! is_installed "$extra"; then
        # Two programs started together must not both install. Not every system has flock.
        if command -v flock >/dev/null; then
            exec 9<"$root"
            flock 9 || say "going on without a lock"
        fi
        is_installed "$extra" || install_checkout "$extra"
        exec 9<&-
    fi
    compile_languages
}
