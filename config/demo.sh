#!/usr/bin/env bash
# A deployment to look at, without containers: two gateways on one Redis, Prometheus, receivers of traces and of a SIEM, a
# provider and a load. Ctrl-C ends all of it. See --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$here/../node_modules/.bin
if [ -x "$bin/node" ]; then PATH=$bin:$PATH; fi # npm brings a newer Node.js
if ! command -v node >/dev/null; then
  echo 'demo.sh: Node.js is missing; get it from https://nodejs.org.' >&2
  exit 1
fi
exec node "$here/demo/run.js" "$@"
