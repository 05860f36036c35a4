import { DETECTORS } from '../../plugins/pii/detectors/index.ts'
import { COMPANY_NAMES, type NationalName, PERSONAL_NAMES } from '../../plugins/pii/detectors/national-names.ts'
import { KINDS } from '../../plugins/secrets/kinds/index.ts'
import { STRUCTURED_TYPES } from '../../plugins/secrets/types.ts'
import { CATALOGUES } from './catalogues.ts'
import { markdownTable } from './option-table.ts'

const WORDS_SHOWN = 6

/** docs/detectors.md: every identifier that is looked for, and where the lists of others stand. */
export function detectorsPage(): string {
  return `# Detectors

What \`pii\` and \`secrets\` look for, one row for each detector. This page is generated (\`npm run generate\`). Options and
actions: [pii](../plugins/pii/README.md), [secrets](../plugins/secrets/README.md).

An \`age\` is reported only, unless \`types\` sets its action; all others are redacted by default.

_Read_: a detector that reads _beside a name_ costs nothing in texts without such a name; the others judge every match of
their shape.

## Identifiers

${identifiers()}
## National numbers by name

A number beside one of these names is \`national_id\`, whatever its check digits say. \`9\` is a digit, \`A\` a letter, \`X\`
either. Countries that are missing here have rows of their own above.

${names(PERSONAL_NAMES)}
## Numbers of companies by name

These are \`company_id\`.

${names(COMPANY_NAMES)}
## Secrets

${KINDS.length} published formats and ${STRUCTURED_TYPES.length} kinds known by their context; all are listed in the
[README of the plugin](../plugins/secrets/README.md#types).

## Lists of others

Where the identifiers of other products' public lists are found here. A dash says that they are not, and why.

${CATALOGUES.map(({ name, rows }) => `### ${name}\n\n${markdownTable(['Identifier', 'Type', 'Note'], rows)}`).join('\n')}`
}

function identifiers(): string {
  const rows = DETECTORS.map(({ type, region, check, level, context = [], onlyInContext, patterns }) => [
    `\`${type}\``,
    region ?? 'all',
    shapeOf(patterns[0] ?? ''),
    check,
    shown(context),
    level,
    onlyInContext === true ? 'beside a name' : 'everywhere',
  ])
  return markdownTable(['Type', 'Country', 'First shape', 'Check', 'Names', 'Label', 'Read'], rows)
}

/** The first names in Latin letters, and the number of all. */
function shown(context: readonly string[]): string {
  const latin = context.filter((name) => /^[\x20-\u024f]+$/.test(name)).slice(0, WORDS_SHOWN)
  return latin.length === context.length ? latin.join(', ') : `${latin.join(', ')} … (${context.length})`
}

/** Long patterns are left to the code. */
const shapeOf = (pattern: string): string => (pattern.includes('`') || pattern.length > 48 ? '' : `\`${pattern}\``)

/** A list, because letters of all scripts do not line up in a table. */
const names = (list: readonly NationalName[]): string =>
  list
    .map(({ country, names, formats }) => {
      const shapes = formats.map((format) => `\`${format}\``).join(', ')
      return `- ${country === 'XX' ? 'several' : country} (${shapes}): ${names.join(', ')}\n`
    })
    .join('')
