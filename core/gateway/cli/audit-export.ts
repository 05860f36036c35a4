import { dirname, resolve } from 'node:path'
import type { GovernanceEvent, PluginSpec } from '../../engine/contract/plugin.ts'
import { describerOf } from '../../engine/events/description.ts'
import { bundledSpecs, loadPlugin } from '../../engine/host/loader.ts'
import { type EventFormat, type EventSource, encode, eventSource } from '../../kit/formats/index.ts'
import { type EventFilter, matches, parseFilter } from '../../services/audit/query.ts'
import { eventIn, readTrail } from '../../services/audit/reader.ts'
import { configOf, fileLines, openTrail, placeIn, SOURCE_OPTIONS } from './audit-source.ts'
import { type Command, type Io, UsageError, type Values } from './command.ts'

const HELP = 'governed-gateway audit export --help'

export const FILTER_OPTIONS = {
  since: {
    type: 'string',
    value: 'TIME',
    description: 'From this time on: 2026-03-16T10:00:00Z, 2026-03-16, or 24h (ago)',
  },
  until: { type: 'string', value: 'TIME', description: 'Before this time' },
  type: { type: 'string', value: 'TYPES', description: 'Only these event types, separated by commas' },
  severity: { type: 'string', value: 'LEVELS', description: 'Only these: info, detection, action, block' },
  'key-id': { type: 'string', value: 'ID', description: 'Only requests of this API key' },
  'request-id': { type: 'string', value: 'ID', description: 'Only this request' },
  'session-id': { type: 'string', value: 'ID', description: 'Only this session' },
  model: { type: 'string', value: 'NAME', description: 'Only requests for this model' },
} as const

export const auditExport: Command = {
  name: 'audit export',
  summary: 'Write events of an audit trail as json, cef or ocsf',
  operands: '[FILE…]',
  maxOperands: 10_000,
  options: {
    format: { type: 'string', value: 'FORMAT', description: 'json, cef or ocsf; default json' },
    ...FILTER_OPTIONS,
    'source-name': {
      type: 'string',
      value: 'NAME',
      description: 'source_name of every event; default governed-gateway',
    },
    environment: { type: 'string', value: 'NAME', description: 'environment of every event; default production' },
    ...SOURCE_OPTIONS,
  },
  details: `One event per line on standard output, oldest first. FILE: JSON lines as audit-file writes
them; - reads standard input. Without FILE: the store of --store or --config, which may
be in use.`,
  async run({ values, positionals, io }) {
    const format = formatOf(values)
    const source = await sourceOf(values, format)
    const filter = filterOf(values, HELP)
    const skipped = new Skipped(io)
    for await (const event of eventsOf(values, positionals, skipped)) {
      if (matches(event, filter)) await written(io, `${encode(format, event, source)}\n`)
    }
    return skipped.exitCode
  },
}

function formatOf({ format = 'json' }: Values): EventFormat {
  if (format === 'json' || format === 'cef' || format === 'ocsf') return format
  throw new UsageError('--format: expected json, cef or ocsf.', HELP)
}

async function sourceOf(values: Values, format: EventFormat): Promise<EventSource> {
  const names = {
    source_name: String(values['source-name'] ?? 'governed-gateway'),
    environment: String(values.environment ?? 'production'),
  }
  return format === 'json' ? eventSource(names) : eventSource(names, describerOf(await specsOf(values)))
}

/** Plugins that may have emitted the events: those of the config, enabled or not, and the bundled ones. */
async function specsOf(values: Values): Promise<PluginSpec[]> {
  const specs = await bundledSpecs()
  if (typeof values.config !== 'string') return specs
  const folder = dirname(resolve(values.config))
  const uses = configOf(values).plugins.map(({ use }) => use)
  // A missing plugin must not prevent reading its events: their types are shown by name.
  const own = await Promise.allSettled(uses.map((use) => loadPlugin(use, folder)))
  return [...specs, ...own.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))]
}

/** Reads the filter options; reports every invalid one. */
export function filterOf(values: Values, help: string): EventFilter {
  const problems: string[] = []
  const option = (name: string): string => `--${name.replace('_', '-')}`
  const filter = parseFilter(
    (name) => values[option(name).slice(2)] as string | undefined,
    (name, message) => problems.push(`${option(name)}: expected ${message}`),
  )
  if (problems.length > 0) throw new UsageError(`${problems.join('; ')}.`, help)
  return filter
}

/** Skipped records that are not events: warns about each, and continues. */
export class Skipped {
  readonly #io: Io
  readonly #places = new Set<string>()

  constructor(io: Io) {
    this.#io = io
  }

  readonly tell = (place: string): void => {
    if (this.#places.has(place)) return
    this.#places.add(place)
    this.#io.stderr.write(`${place} is not an event and was skipped. \`audit verify\` shows more.\n`)
  }

  get exitCode(): number {
    return this.#places.size === 0 ? 0 : 1
  }
}

/** The events of files, or of a store, oldest first. */
export async function* eventsOf(
  values: Values,
  files: readonly string[],
  skipped: Skipped,
): AsyncGenerator<GovernanceEvent, void> {
  if (files.length > 0) {
    const starts: number[] = []
    for await (const { text, line } of fileLines(files, starts)) {
      const event = eventIn(text)
      if (event === undefined) {
        throw new UsageError(`${placeIn(files, starts, line)} is not an event. \`audit verify\` shows more.`, HELP)
      }
      yield event
    }
    return
  }
  const trail = await openTrail(values, skipped.tell)
  try {
    for await (const { event } of readTrail(trail.reader, 'asc')) yield event
  } finally {
    await trail.close()
  }
}

/** Writes and waits for a slow reader. */
export async function written(io: Io, text: string): Promise<void> {
  const stream = io.stdout as Partial<NodeJS.WriteStream> & Io['stdout']
  if (stream.write(text) === false && stream.once !== undefined) {
    await new Promise<void>((resolve) => (stream as NodeJS.WriteStream).once('drain', resolve))
  }
}
