/** `npm run dev`: a gateway that starts anew with each change of the source, and a log for people. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

// Everything that was imported is watched, plugins of the config among them.
const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', at('core/bin.js'), 'start', ...process.argv.slice(2)],
  { stdio: ['ignore', 'inherit', 'pipe'] },
)
const looks = ['--ignore=pid', '--translateTime=SYS:HH:MM:ss.l', '--singleLine']
const log = spawn(process.execPath, [at('node_modules/pino-pretty/bin.js'), ...looks], {
  stdio: ['pipe', 'inherit', 'inherit'],
})
child.stderr.pipe(log.stdin)
// Ctrl-C reaches the whole group; a SIGTERM to this process is passed on. The log ends with what it reads.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal))
child.on('close', (code) => {
  process.exitCode = code ?? 0
})
