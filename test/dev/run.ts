/** `npm run dev`: a gateway that starts anew with each change of the source, and a log for people. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pretty from 'pino-pretty'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

// Everything that was imported is watched, plugins of the config among them.
const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', at('core/bin.js'), 'start', ...process.argv.slice(2)],
  { stdio: ['ignore', 'inherit', 'pipe'] },
)
const log = pretty({ destination: 1, sync: true, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
child.stderr.pipe(log)
// Ctrl-C reaches the whole group; a SIGTERM to this process is passed on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal))
child.on('close', (code) => {
  process.exitCode = code ?? 0
})
