import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import {
  type CatalogueEntry,
  CHAIN,
  catalogueOf,
  DROPPED,
  ENVELOPE,
  EXCHANGE,
  EXPORTED,
  eventSchema,
  type FieldSchema,
  type Fields,
  MEASURED,
} from '../../core/engine/events/catalogue/index.ts'
import { titleOf } from '../../core/engine/events/description.ts'
import { markdownTable } from './option-table.ts'

/** Those that end an exchange stand first in the catalogue. */
const TERMINAL = 6

export function eventsPage(specs: readonly PluginSpec[]): string {
  const entries = [...catalogueOf(specs)]
  return `# Events

<!-- Generated from core/engine/events/catalogue and the plugins' \`events\` by \`npm run generate\`. -->

What the gateway did, without what was said: no event holds text of a request or a reply, a found value, or a key. Events
go to the log of the process, to the plugins that observe, and, once a plugin reads the audit log (audit-file, siem,
alerting), into the store: one hash chain for each instance, kept for \`audit.retention_days\`. Every exchange ends in exactly
one of the first ${TERMINAL} types.

JSON Schemas of all types, nothing but what is listed here: [events.schema.json](events.schema.json).

## Types

${markdownTable(
  ['Type', 'Title', 'Severity', 'From', 'When', 'Its own fields'],
  entries.map(([type, entry]) => [
    `\`${type}\``,
    entry.title ?? titleOf(type),
    entry.severity.join(', '),
    entry.owner,
    entry.when,
    Object.keys(entry.fields)
      .filter((name) => isOwn(type, entry, name))
      .map((name) => `\`${name}\``)
      .join(', '),
  ]),
)}
Severities, lowest first: info, detection, action, block. Filters such as \`severity_filter\` are floors on that ladder.

## Fields of every event

${fieldTable({ ...ENVELOPE, ...CHAIN, ...EXPORTED, ...DROPPED })}
\`seq\`, \`prev_hash\` and \`hash\` are there once the event is in the store, \`source_name\` and \`environment\` after export.

## Fields of an exchange

In every event of one; those that are not known are left out.

${fieldTable(EXCHANGE)}
## Fields at the end of an exchange

In the first ${TERMINAL} types.

${fieldTable(MEASURED)}
## Fields of single types

${markdownTable(
  ['Type', 'Field', 'Value', 'Meaning'],
  entries.flatMap(([type, entry]) =>
    Object.entries(entry.fields)
      .filter(([name]) => isOwn(type, entry, name))
      .map(([name, field]) => [`\`${type}\``, `\`${name}\``, valueText(field), field.description ?? '']),
  ),
)}
## Formats

\`json\` is the event as described here, with \`source_name\` and \`environment\`. \`cef\` is one line of Common Event Format 0.
\`ocsf\` is Open Cybersecurity Schema 1.8.0: API Activity (6003) for exchanges, failed keys, changes and the gateway itself;
Data Security Finding (2006) for ${dataTypes(entries)};
Detection Finding (2004) for all other findings. \`unmapped\` holds the whole event. Titles, kinds and dispositions stand
with the declaration of each type, also of your own plugins; a type that nobody declares any more is shown by its name.

| Severity for receivers | CEF | OCSF | When                                                                                   |
| ---------------------- | --- | ---- | -------------------------------------------------------------------------------------- |
| informational          | 1   | 1    | allowed                                                                                |
| low                    | 3   | 2    | redacted, detected, changed, failed delivery or provider                               |
| medium                 | 5   | 3    | monitor mode, a refused flag, rate or key, a failed plugin                             |
| high                   | 8   | 4    | blocked                                                                                |
| critical               | 10  | 5    | blocked with RESTRICTED data; ten or more failed keys of one source within ten seconds |

## Trust

Each record names the hash of the one before, so that a change, a gap, a swap and an insertion show:
\`governed-gateway audit verify\` names them and ends with exit code 4. Who can write to the store could still cut the end off,
or write the whole trail anew: \`audit.anchor\` is the answer. It signs \`seq\` and \`hash\` of the newest record each minute and
at the end, with an Ed25519 key that is derived from the deployment's secret and stored nowhere. Anchors are in the trail, in
\`audit-anchors.jsonl\` beside an embedded store, and, what counts, with every receiver of the events:
\`governed-gateway audit verify --anchors FILE --key KEY\` compares the trail with anchors that were kept elsewhere. For that
the public key is enough; \`governed-gateway audit key\` prints it.
`
}

/** One file with a schema for each type, and their union. */
export function eventsSchema(specs: readonly PluginSpec[]): object {
  const entries = [...catalogueOf(specs)]
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Events of governed-gateway, by type',
    oneOf: entries.map(([type]) => ({ $ref: `#/definitions/${type}` })),
    definitions: Object.fromEntries(entries.map(([type, entry]) => [type, eventSchema(type, entry)])),
  }
}

const dataTypes = (entries: readonly (readonly [string, CatalogueEntry])[]): string =>
  entries
    .filter(([, { category }]) => category === 'data')
    .map(([type]) => `\`${type}\``)
    .join(', ')

/** Not one that many types have. */
function isOwn(type: string, { fields }: CatalogueEntry, name: string): boolean {
  const measured = 'latency_ms' in fields
  if (type.startsWith('auth.') || type.startsWith('settings.')) return true
  return !(name in EXCHANGE) && !(measured && name in MEASURED)
}

const fieldTable = (fields: Fields): string =>
  markdownTable(
    ['Field', 'Value', 'Meaning'],
    Object.entries(fields).map(([name, field]) => [`\`${name}\``, valueText(field), field.description ?? '']),
  )

function valueText(field: FieldSchema): string {
  if (field.const !== undefined) return JSON.stringify(field.const)
  if (field.enum !== undefined) return field.enum.join(', ')
  const { type = 'any', items } = field as { type?: string | readonly string[]; items?: FieldSchema }
  if (type === 'array') return `list of ${items?.enum?.join(', ') ?? items?.type ?? 'any'}`
  return [type].flat().join(' or ')
}
