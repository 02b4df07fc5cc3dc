#!/usr/bin/env bash
# Tests the package as a user installs it from a wheel, including the server: `make nightly ONLY=wheel`.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
unset PYTHONPATH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
uv() { "$python" -m uv "$@" --quiet; }
empty() { uv venv --python "$python" "$work/$1"; }

# Two builds have the same bytes, and so does a wheel from the sdist. twine accepts the files.
empty build
uv pip install --python "$work/build/bin/python" --require-hashes -r requirements/wheel.txt
for time in first second; do
    "$work/build/bin/hatchling" build -d "$work/$time" >/dev/null 2>&1
done
diff -r "$work/first" "$work/second"
tar -xzf "$work"/first/shutbox-*.tar.gz -C "$work"
(cd "$work"/shutbox-*/ && "$work/build/bin/hatchling" build -t wheel -d "$work/again" >/dev/null 2>&1)
cmp "$work"/first/shutbox-*.whl "$work"/again/shutbox-*.whl
"$work/build/bin/twine" check --strict "$work"/first/*

# Tests an empty environment, and each extra alone, with the locked versions.
for lock in test extras rl; do
    sed -n 's/ \\$//; /^[a-z]/p' "requirements/$lock.txt"
done >"$work/locked.txt"
wheel=$(echo "$work"/first/shutbox-*.whl)
with() {
    empty "with-$1"
    uv pip install --python "$work/with-$1/bin/python" -c "$work/locked.txt" "$wheel${1:+[$1]}"
    (cd "$work" && SHUTBOX_DATA="$work/data-$1" SHUTBOX_CACHE="$work/cache-$1" \
        "$work/with-$1/bin/python" -I -W error "$OLDPWD/tests/installed.py" "$1")
}
for extra in "" fast gym plot png postgresql web; do
    with "$extra"
done

# Installs the plugins beside it, and plays one.
for plugin in plugin brains; do
    cp -r "examples/$plugin" "$work/$plugin"
    (cd "$work/$plugin" && "$work/build/bin/hatchling" build -t wheel -d "$work/plugins" >/dev/null 2>&1)
done
uv pip install --python "$work/with-/bin/python" --no-deps "$work"/plugins/acme_*.whl
"$work/with-/bin/shutbox" conform acme.pig
"$work/with-/bin/shutbox" conform acme.brains
printf 'hold\nhold\n' | SHUTBOX_DATA="$work/data-pig" "$work/with-/bin/shutbox" play acme.pig --seed 7

# The examples that the wheel brings run. Once it is uninstalled, no file of it is left.
"$work/with-fast/bin/python" -I -W error "$work/with-fast/share/doc/shutbox/first_bot.py"
uv pip uninstall --python "$work/with-fast/bin/python" shutbox
test -z "$(find "$work/with-fast" -path '*shutbox*' -type f)"

# Installs as a host does, with the guide's commands. After the download, no network is used.
"$python" -m venv "$work/host"
grep -o '/pip install .*' docs/hosting.md | sed -n 1,2p | while read -r command; do
    case $command in *" .") export PIP_NO_INDEX=1 ;; esac
    "$work/host/bin"$command --quiet --disable-pip-version-check
done
"$work/host/bin/shutbox" --version
cd "$work"
grep -q "shutbox odds" "$work/host/share/man/man1/shutbox.1"
for section in EXAMPLES ENVIRONMENT "EXIT STATUS" FILES; do
    grep -q "^.SH $section" "$work/host/share/man/man1/shutbox.1"
done
"$work/host/bin/shutbox" completion man | cmp - "$work/host/share/man/man1/shutbox.1"
test -s "$work/host/share/zsh/site-functions/_shutbox"
test -s "$work/host/share/fish/vendor_completions.d/shutbox.fish"
bash -euc "source '$work/host/share/bash-completion/completions/shutbox'
    COMP_WORDS=(shutbox odds full-h) COMP_CWORD=2
    set +eu; _shtab_shutbox
    test \"\${COMPREPLY[*]}\" = full-house"
export SHUTBOX_DATA="$work/data" SHUTBOX_CACHE="$work/cache"
"$work/with-web/bin/shutbox" --version
"$work/with-web/bin/shutbox" legal "classic:1.5.9/2+2"
printf '\nend\n' | "$work/with-web/bin/shutbox" play --seed installed
"$work/with-web/bin/shutbox" play pub --players computer,computer:most --seed installed | tail -n 1
"$work/with-web/bin/shutbox" check
"$work/with-web/bin/shutbox" odds classic | head -n 5
"$work/with-web/bin/shutbox" advise classic:1-9/3+5 --to-beat 8
"$work/with-web/bin/shutbox" serve --port 8765 >"$work/serve.log" 2>&1 &
trap 'kill %1 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    curl -fsS http://127.0.0.1:8765/ready 2>/dev/null && break
    sleep 0.1
done
# Writes into files, since curl fails if its reader closes early.
curl -fsS -o page.html http://127.0.0.1:8765/
grep -q "Throw the dice" page.html
curl -fsS -o font.woff2 http://127.0.0.1:8765/static/fonts/shutbox-serif.woff2
curl -fsS -o licence.txt http://127.0.0.1:8765/static/fonts/LICENSE.txt
curl -fsS -o games.json http://127.0.0.1:8765/api/games
head -c 200 games.json
