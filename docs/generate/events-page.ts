import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import {
  type CatalogueEntry,
  CHAIN,
  catalogueOf,
  DROPPED,
  ENVELOPE,
  EXCHANGE,
  EXPORTED,
  type FieldSchema,
  type Fields,
  MEASURED,
} from '../../core/engine/events/catalogue/index.ts'
import { titleOf } from '../../core/engine/events/description.ts'
import { markdownTable } from './option-table.ts'

/** Number of types that end an exchange; the catalogue lists them first. */
const TERMINAL = 6

export function eventsPage(specs: readonly PluginSpec[]): string {
  const entries = [...catalogueOf(specs)]
  return `# Events

<!-- Generated from core/engine/events/catalogue and the plugins' \`events\` by \`npm run generate\`. -->

Events record what the gateway did. They contain no text of a request or reply, no found value and no key. Events go to the
process log and to observing plugins. If a plugin reads the audit log (audit-file, siem, alerting), they also go into the store:
one hash chain per instance, kept for \`audit.retention_days\`. Every exchange ends with exactly one event of the first
${TERMINAL} types. Only if its process could not be reached for a minute and lived on, there are two: one with \`reason\` \`gateway_lost\`, and
the true one, which has the \`id\` of the other as \`supersedes\`.

The package has the JSON Schemas of all types in \`docs/events.schema.json\`; \`npm ci\` writes that file in a clone. They allow only the fields that
this page lists.

## Types

${markdownTable(
  ['Type', 'Title', 'Severity', 'From', 'When', 'Own fields'],
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
Severities, lowest first: info, detection, action, block. A filter such as \`severity_filter\` selects its severity and all higher ones.

## Fields of every event

${fieldTable({ ...ENVELOPE, ...CHAIN, ...EXPORTED, ...DROPPED })}
Events in the store have \`seq\`, \`prev_hash\` and \`hash\`. Exported events have \`source_name\` and \`environment\`.

## Fields of an exchange

In every event of an exchange. Unknown fields are left out.

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
Detection Finding (2004) for all other findings. \`unmapped\` holds the whole event. Each type's declaration sets its title,
category and disposition, also in your own plugins. A type without a declaration is shown by its name.

| Severity for receivers | CEF | OCSF | When                                                                                   |
| ---------------------- | --- | ---- | -------------------------------------------------------------------------------------- |
| informational          | 1   | 1    | allowed                                                                                |
| low                    | 3   | 2    | redacted, detected, changed, failed delivery or provider                               |
| medium                 | 5   | 3    | monitor mode, a refused flag, rate or key, a failed plugin                             |
| high                   | 8   | 4    | blocked                                                                                |
| critical               | 10  | 5    | blocked with RESTRICTED data; ten or more failed keys of one source within ten seconds |

## Trust

Each event contains the hash of the previous one. \`governed-gateway audit verify\` reports changed, missing, swapped and
inserted events, and ends with exit code 4.

An attacker with write access to the store could still remove the newest events, or rewrite the whole trail. \`audit.anchor\`
events make this visible. They sign \`seq\` and \`hash\` of the newest event every minute and at stop, with an Ed25519 key that is
derived from the deployment's secret and stored nowhere. Anchors are in the trail, in \`audit-anchors.jsonl\` beside an embedded
store, and, most important, with every receiver of the events. \`governed-gateway audit verify --anchors FILE --key KEY\` compares
the trail with anchors from elsewhere. It needs only the public key, which \`governed-gateway audit key\` prints.
`
}

const dataTypes = (entries: readonly (readonly [string, CatalogueEntry])[]): string =>
  entries
    .filter(([, { category }]) => category === 'data')
    .map(([type]) => `\`${type}\``)
    .join(', ')

/** Whether the field is not shared by many types. */
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
