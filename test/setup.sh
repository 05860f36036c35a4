#!/usr/bin/env bash
# Installs what the tests need beyond npm: a real Redis, a real nginx and a real Chromium. Does nothing when they are there.
set -euo pipefail

if command -v redis-server >/dev/null && command -v nginx >/dev/null && command -v chromium-headless-shell >/dev/null; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo 'test/setup.sh: install redis-server 6.2 or newer and nginx; for tests of the console Chromium; this script only knows apt-get.' >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends redis-server nginx-light chromium-headless-shell
redis-server --version
nginx -v
