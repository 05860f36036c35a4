#!/usr/bin/env bash
# What the container file of docs/production.md does, without a container engine: the package as it is published, installed
# into an empty folder that nobody may write, run by a user who is not root. The tests run it.
# usage: steps.sh SOURCE FOLDER PORT
set -euo pipefail
source=$1 folder=$2 port=$3

# Build and pack a copy: the clone stays as it is. `npm test` has built it, without the types.
mkdir -p "$folder/source" "$folder/app/node_modules" "$folder/data"
(cd "$source" && cp -a core plugins config docs package.json README.md LICENSE NOTICE CHANGELOG.md CONTRIBUTING.md SECURITY.md tsconfig.json tsconfig.build.json "$folder/source/")
ln -s "$source/node_modules" "$folder/source/node_modules"
cd "$folder/source"
if [ -n "${TEST_BUILT-}" ]; then cp -a "$source/dist" . && node core/types.js; else npm run -s build; fi
npm pack --silent --ignore-scripts --offline --pack-destination "$folder" >/dev/null
mv "$folder"/governed-gateway-*.tgz "$folder/governed-gateway.tgz"

# Install: the package, and what it depends on without the development.
mkdir "$folder/app/node_modules/governed-gateway"
tar -xzf "$folder/governed-gateway.tgz" -C "$folder/app/node_modules/governed-gateway" --strip-components 1
(cd "$source" && npm ls --omit=dev --all --parseable 2>/dev/null || true) | sed -n "s|^$source/node_modules/||p" | while read -r name; do
  mkdir -p "$(dirname "$folder/app/node_modules/$name")"
  [ -e "$folder/app/node_modules/$name" ] || ln -s "$source/node_modules/$name" "$folder/app/node_modules/$name"
done
mkdir "$folder/app/node_modules/.bin"
ln -s ../governed-gateway/core/bin.js "$folder/app/node_modules/.bin/governed-gateway"
echo '{ "private": true }' > "$folder/app/package.json"

cat > "$folder/gateway.yaml" <<CONFIG
listen: { port: $port }
store: "file:$folder/data"
upstreams: { demo: { kind: demo } }
keys: [{ id: app, key: app-key-for-the-container }]
plugins: [{ use: flags }, { use: sessions }, { use: pii }, { use: secrets }]
CONFIG

# A read-only application, a data folder of its own, no rights.
chmod -R a-w,a+rX "$folder/app"
chmod 0755 "$folder"
as=()
if [ "$(id -u)" = 0 ]; then
  chown -R 65534:65534 "$folder/data"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
fi
chmod 0700 "$folder/data"
cd "$folder/app"
exec "${as[@]}" env -i PATH="$PATH" HOME=/nonexistent SERVICE_HOST=127.0.0.1 \
  npm_config_cache="$folder/data/npm" npm_config_update_notifier=false npm_config_logs_max=0 \
  npx --offline governed-gateway start --config "$folder/gateway.yaml"
