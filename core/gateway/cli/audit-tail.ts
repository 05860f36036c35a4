import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import { matches } from '../../services/audit/query.ts'
import { readTrail, type TrailReader } from '../../services/audit/reader.ts'
import { eventsOf, FILTER_OPTIONS, filterOf, Skipped, written } from './audit-export.ts'
import { renderEvent } from './audit-render.ts'
import { openTrail, SOURCE_OPTIONS } from './audit-source.ts'
import { type Command, type Io, UsageError } from './command.ts'

const HELP = 'governed-gateway audit tail --help'
const POLL_MS = 500

export const auditTail: Command = {
  name: 'audit tail',
  summary: 'Show the newest events of an audit trail, one per line',
  operands: '[FILE]',
  maxOperands: 1,
  options: {
    lines: { type: 'string', short: 'n', value: 'N', description: 'How many events; default 20' },
    follow: { type: 'boolean', short: 'f', description: 'Follow new events until interrupted; only with a store' },
    ...FILTER_OPTIONS,
    ...SOURCE_OPTIONS,
  },
  details: `For people: time, severity, type, key, model, status, label, reason, findings, duration
and request id. FILE: JSON lines as audit-file writes them. Without FILE: the store of
--store or --config, which may be in use.`,
  async run({ values, positionals, io }) {
    const filter = filterOf(values, HELP)
    const lines = String(values.lines ?? 20)
    const most = Number(lines)
    if (!/^\d{1,9}$/.test(lines)) throw new UsageError('-n: expected a whole number.', HELP)
    const skipped = new Skipped(io)
    const keep = (event: GovernanceEvent): boolean => matches(event, filter)
    if (positionals.length > 0) {
      if (values.follow === true) throw new UsageError('-f follows stores; for a file use `tail -F`.', HELP)
      return showFile(eventsOf(values, positionals, skipped), most, keep, io)
    }
    const trail = await openTrail(values, skipped.tell)
    // Handle interruptions from here on, even while the first lines are shown.
    const { signal, done } = values.follow === true ? untilInterrupted() : NEVER
    try {
      const positions = await showNewest(trail.reader, most, keep, io)
      if (values.follow === true) await follow(trail.reader, positions, keep, io, signal)
    } finally {
      done()
      await trail.close()
    }
    return skipped.exitCode
  },
}

type Keep = (event: GovernanceEvent) => boolean

const show = (io: Io, event: GovernanceEvent): Promise<void> => written(io, `${renderEvent(event)}\n`)

async function showFile(events: AsyncIterable<GovernanceEvent>, most: number, keep: Keep, io: Io): Promise<number> {
  const newest: GovernanceEvent[] = []
  for await (const event of events) {
    if (!keep(event)) continue
    newest.push(event)
    if (newest.length > most) newest.shift()
  }
  for (const event of newest) await show(io, event)
  return 0
}

/** Shows the newest events in chronological order, and returns where each instance's records end. */
async function showNewest(reader: TrailReader, most: number, keep: Keep, io: Io): Promise<Record<string, string>> {
  const positions: Record<string, string> = {}
  for (const instance of await reader.instances()) {
    const [newest] = await reader.page(instance, 'desc', undefined)
    if (newest !== undefined) positions[instance] = newest.cursor
  }
  const events: GovernanceEvent[] = []
  if (most > 0) {
    for await (const { event } of readTrail(reader, 'desc')) {
      if (keep(event)) events.push(event)
      if (events.length === most) break
    }
  }
  for (const event of events.reverse()) await show(io, event)
  return positions
}

async function follow(
  reader: TrailReader,
  positions: Record<string, string>,
  keep: Keep,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for await (const { instance, cursor, event } of readTrail(reader, 'asc', positions)) {
      positions[instance] = cursor
      if (keep(event)) await show(io, event)
    }
    await pause(signal)
  }
}

const NEVER = { signal: new AbortController().signal, done: () => {} }

function untilInterrupted(): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.once(name, stop)
  const done = (): void => {
    for (const name of names) process.off(name, stop)
  }
  return { signal: controller.signal, done }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, POLL_MS)
    signal.addEventListener('abort', end)
  })
}
