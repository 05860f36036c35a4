import type { Corpus } from '../corpus.ts'
import { NATIONAL_IDS } from '../data/national.ts'
import type { Random } from '../random.ts'
import { sentences } from './pii-contact.ts'

const CONTEXT = [
  'My LABEL is {}.',
  'LABEL: {}',
  'The LABEL {} was rejected.',
  'Please update my LABEL to {}',
  '{"LABEL":"{}"}',
  'LABEL={}',
  'Here is the LABEL you asked for: {}',
  '<b>LABEL</b> {}',
  'LABEL {} (copy attached)',
]
const BARE = [
  '{}',
  'It is {}, thanks.',
  'Please check {} for me.',
  'Anna Keller, {}, Berlin',
  'The form says {} on line two.',
]

const pii = { plugin: 'pii', kind: 'positive' } as const

export default [
  ...NATIONAL_IDS.map((id) => ({
    ...pii,
    name: `${id.name}, in context`,
    group: 'national id, in context',
    cases: sentences(
      `${id.name} context`,
      CONTEXT.flatMap((template) => id.labels.map((label) => template.replaceAll('LABEL', label))),
      80,
      (r: Random) => id.make(r),
    ),
  })),
  ...NATIONAL_IDS.filter((id) => id.needsContext === undefined).map((id) => ({
    ...pii,
    name: `${id.name}, bare`,
    group: 'national id, bare',
    cases: sentences(`${id.name} bare`, BARE, 60, (r: Random) => id.make(r)),
  })),
] satisfies Corpus[]
