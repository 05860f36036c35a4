#!/usr/bin/env node
// Plain JavaScript without static imports: an old Node must get as far as the message below.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  const install = 'Install a newer one from https://nodejs.org'
  const remedy = !['linux-x64', 'linux-arm64'].includes(`${process.platform}-${process.arch}`)
    ? `${install}.\n`
    : process.env.npm_lifecycle_event === undefined
      ? `${install}, or run it through npm, which brings its own:\n  npm start; npm run -s gateway -- COMMAND\n`
      : 'The one that npm brings is not there: run npm ci until it ends without an error.\n'
  process.stderr.write(`governed-gateway needs Node.js 22.19 or later; this is ${process.versions.node}.\n${remedy}`)
  process.exit(1)
} else {
  const { enableCompileCache } = await import('node:module')
  const { homedir } = await import('node:os')
  const { isAbsolute, join } = await import('node:path')
  if (process.argv[2] === 'start') {
    // Parts of Node.js that a gateway uses, before the first change of a V8 flag: after it V8 would compile them again,
    // since it takes compiled code only for the same flags. See core/gateway/heap-flags.ts.
    const net = ['dgram', 'dns/promises', 'http', 'net', 'tls']
    const others = [
      'assert',
      'child_process',
      'crypto',
      'fs/promises',
      'perf_hooks',
      'sqlite',
      'timers/promises',
      'v8',
      'zlib',
    ]
    for (const name of [...net, ...others, 'cluster', 'worker_threads']) process.getBuiltinModule(`node:${name}`)
    // What a start leaves over lives on, so a larger space for young objects would only cost memory: 12 to 25 MB.
    process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1')
  }
  // By default SIGUSR1 opens Node's debugger, to every user of the machine, and SIGHUP ends the process. Tools that rotate
  // logs or change the config may send them during the start: see core/gateway/log.ts and cli/start.ts.
  if (process.argv[2] === 'start') for (const signal of ['SIGUSR1', 'SIGHUP']) process.on(signal, () => {})
  // The second start needs a third less CPU. In the user's own folder, for it is code that will run; see operations.md.
  const { XDG_CACHE_HOME = '' } = process.env
  enableCompileCache?.(
    join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'governed-gateway'),
  )
  const { main } = await import(new URL(await entry(), import.meta.url).href)
  process.exitCode = await main(process.argv.slice(2))
}

// What was built starts faster; a clone whose sources were edited since runs these. Node strips types, though never below
// node_modules, where the package is only what was built.
async function entry() {
  const { existsSync, readFileSync, readdirSync, statSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  const root = fileURLToPath(new URL('..', import.meta.url))
  const built = '../dist/core/gateway/cli/cli.js'
  if (import.meta.url.includes('/node_modules/') || !existsSync(`${root}core/gateway/cli/cli.ts`)) return built
  try {
    const { plugins, sources } = JSON.parse(readFileSync(`${root}dist/sources.json`, 'utf8'))
    const same = ([file, size, time]) => {
      const now = statSync(root + file)
      return now.size === size && now.mtimeMs === time
    }
    if (readdirSync(`${root}plugins`).length === plugins && sources.every(same)) return built
  } catch {
    // Never built, or files were removed.
  }
  return './gateway/cli/cli.ts'
}
