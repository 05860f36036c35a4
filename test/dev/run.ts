/** `npm run dev`: a gateway that starts anew with each change of the source, and a log for people. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../core/bin.js', import.meta.url))

// Everything that was imported is watched, plugins of the config among them.
const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', bin, 'start', '--log-format', 'pretty', ...process.argv.slice(2)],
  { stdio: ['ignore', 'inherit', 'inherit'] },
)
// Ctrl-C reaches the whole group; a SIGTERM to this process is passed on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal))
child.on('close', (code) => {
  process.exitCode = code ?? 0
})
