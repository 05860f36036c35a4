import { resolve } from 'node:path'
import { type AuditConsumer, definePlugin, type Services } from 'governed-gateway'
import { Trouble } from 'governed-gateway/kit'
import { RotatingFile } from './rotating-file.ts'
import { schema } from './schema.ts'

/** Events of one write; one `fdatasync` covers them all. */
const BATCH = 1000
/** How often old files are looked for, besides at each rotation. */
const CLEAN_MS = 3_600_000

export default definePlugin({
  name: 'audit-file',
  description: 'Writes the audit trail to a local file of JSON lines, with rotation and retention',
  governs: 'usage',
  onError: 'allow',
  schema,
  writes: ['path'],
  create(options, services) {
    const { path, rotate, max_bytes: maxBytes, keep_files: keepFiles, keep_days: keepDays } = options
    const file = new RotatingFile({ path: resolve(services.configFolder, path), rotate, maxBytes, keepFiles, keepDays })
    // Never read: it makes events durable, in every process and from the very first one on.
    const holder = services.auditLog({ from: 'start' })
    const trouble = new Trouble({
      log: services.log,
      level: 'error',
      begins: 'the audit file cannot be written; events wait in the store',
      ends: 'the audit file is written again',
    })
    services.singleton('write', async (signal) => {
      // One for each run: a consumer continues after what it gave, and what was given to a run that failed must come again.
      const consumer = services.auditLog({ from: 'start' })
      try {
        await write(consumer, file, signal, services)
      } catch (error) {
        // Tried again soon. The gateway reports store outages itself.
        if (codeOf(error).startsWith('GW_')) throw error
        trouble.note({ code: codeOf(error), path: (error as NodeJS.ErrnoException).path })
      } finally {
        await consumer.close()
      }
    })
    return {
      async stop() {
        trouble.close()
        await holder.close()
      },
    }
  },
})

async function write(consumer: AuditConsumer, file: RotatingFile, signal: AbortSignal, { log }: Services) {
  try {
    while (!signal.aborted) {
      await clean(file, log)
      const until = AbortSignal.any([signal, AbortSignal.timeout(CLEAN_MS)])
      while (!until.aborted) await copy(consumer, file, until)
    }
    // The last events of this process: they came after the signal.
    for (let left = await count(consumer); left > 0; left = await count(consumer)) {
      if ((await copy(consumer, file, AbortSignal.timeout(LAST_MS))) === 0) break
    }
  } finally {
    await file.close()
  }
}

const LAST_MS = 1000

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

/** An old file that cannot be removed is no reason not to write. */
const clean = (file: RotatingFile, log: Services['log']): Promise<void> =>
  file.clean().catch((error: unknown) => log.warn({ code: codeOf(error) }, 'old audit files cannot be removed'))

const count = async (consumer: AuditConsumer): Promise<number> => (await consumer.backlog()).events

/** Reads, writes, and only then acknowledges: what a crash interrupts is written once more. */
async function copy(consumer: AuditConsumer, file: RotatingFile, signal: AbortSignal): Promise<number> {
  const entries = await consumer.read(BATCH, signal)
  const last = entries.at(-1)
  if (last === undefined) return 0
  await file.append(entries.map(({ text }) => `${text}\n`).join(''))
  await consumer.ack(last.cursor)
  return entries.length
}
