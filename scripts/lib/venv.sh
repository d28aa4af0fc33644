# Virtual environments of pinned Python packages, for the scripts of this repository; to be sourced.

# ensure_venv WANTED VENV CONTENTS [FINISH]: makes VENV anew when it does not hold what the file WANTED lists;
# CONTENTS says in the progress line what that is. FINISH is called before the environment counts as made.
# Of several callers at the same time one makes it and the others wait.
ensure_venv() {
  local wanted=$1 venv=$2 contents=$3 finish=${4:-true} name
  name=$(basename "$0")
  if cmp -s "$wanted" "$venv/installed.txt"; then return; fi
  mkdir -p build
  (
    flock 9
    if cmp -s "$wanted" "$venv/installed.txt"; then exit; fi
    python=/usr/bin/python3
    [ -x "$python" ] || python=python3
    echo "$name: installing $contents into $venv"
    rm -rf "$venv"
    if ! "$python" -m venv "$venv"; then
      echo "scripts/$name: '$python -m venv' failed; install python3-venv (scripts/setup does)" >&2
      exit 1
    fi
    log=$venv/pip.log
    if ! "$venv/bin/pip" install --disable-pip-version-check --no-input -r "$wanted" </dev/null >"$log" 2>&1; then
      tail -n 20 "$log" >&2
      echo "scripts/$name: pip could not install $wanted; is PyPI reachable?" >&2
      exit 1
    fi
    "$finish"
    cp "$wanted" "$venv/installed.txt"
  ) 9>"build/$(basename "$venv").lock"
}
