#!/usr/bin/env bash
# Installs what the tests need beyond npm: a real Redis and a real nginx. Does nothing when they are there.
set -euo pipefail

if command -v redis-server >/dev/null && command -v nginx >/dev/null; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo 'test/setup.sh: install redis-server 6.2 or newer and nginx; this script only knows apt-get.' >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends redis-server nginx-light
redis-server --version
nginx -v
