#!/usr/bin/env bash
# The package installed from a wheel as a user gets it, and the server with it: `make wheel`.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
unset PYTHONPATH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check '.[web]'
# As a host does, by the commands of the guide: once all is fetched, nothing more is asked for.
"$python" -m venv "$work/host"
grep -o '/pip install .*' docs/hosting.md | sed -n 1,2p | while read -r command; do
    case $command in *" .") export PIP_NO_INDEX=1 ;; esac
    "$work/host/bin"$command --quiet --disable-pip-version-check
done
"$work/host/bin/shutbox" --version
cd "$work"
export SHUTBOX_DATA="$work/data" SHUTBOX_CACHE="$work/cache"
"$work/venv/bin/shutbox" --version
"$work/venv/bin/shutbox" legal "classic:1.5.9/2+2"
printf '\nend\n' | "$work/venv/bin/shutbox" play --seed installed
"$work/venv/bin/shutbox" play pub --players computer,computer:most --seed installed | tail -n 1
"$work/venv/bin/shutbox" check
"$work/venv/bin/shutbox" odds classic | head -n 5
"$work/venv/bin/shutbox" advise classic:1-9/3+5 --to-beat 8
"$work/venv/bin/shutbox" serve --port 8765 >"$work/serve.log" 2>&1 &
trap 'kill %1 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    curl -fsS http://127.0.0.1:8765/ready 2>/dev/null && break
    sleep 0.1
done
# Into files: curl fails where its reader goes before it has written all.
curl -fsS -o page.html http://127.0.0.1:8765/
grep -q "Throw the dice" page.html
curl -fsS -o font.woff2 http://127.0.0.1:8765/static/fonts/shutbox-serif.woff2
curl -fsS -o licence.txt http://127.0.0.1:8765/static/fonts/LICENSE.txt
curl -fsS -o games.json http://127.0.0.1:8765/api/games
head -c 200 games.json
