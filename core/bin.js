#!/usr/bin/env node
// Plain JavaScript without static imports: an old Node must get as far as the message below.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `governed-gateway needs Node.js 22.19 or later; this is ${process.versions.node}.\n` +
      'Install a newer one from https://nodejs.org, or run it through npm, which brings its own:\n  npm start; npm run -s gateway -- COMMAND\n',
  )
  process.exit(1)
} else {
  const { existsSync } = await import('node:fs')
  const { enableCompileCache } = await import('node:module')
  const { homedir } = await import('node:os')
  const { isAbsolute, join } = await import('node:path')
  const { setFlagsFromString } = await import('node:v8')
  // V8 takes objects that live as long as a request for long-lived ones and allocates them among the old, where each
  // keeps the young ones it points to: scavenges then copy tens of megabytes (measured: a third of all CPU).
  setFlagsFromString('--no-allocation-site-pretenuring')
  // The second start needs a third less CPU. In the user's own folder, for it is code that will run; see operations.md.
  const { XDG_CACHE_HOME = '' } = process.env
  enableCompileCache?.(
    join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'governed-gateway'),
  )
  // Node strips types by itself, but never below node_modules: an installed package runs what was built.
  const source = new URL('./gateway/cli/cli.ts', import.meta.url)
  const fromSource = existsSync(source) && !import.meta.url.includes('/node_modules/')
  const { main } = await import(
    fromSource ? source.href : new URL('../dist/core/gateway/cli/cli.js', import.meta.url).href
  )
  process.exitCode = await main(process.argv.slice(2))
}
