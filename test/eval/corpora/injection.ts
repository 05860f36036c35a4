import {
  ATTACKS,
  HARMLESS,
  HARMLESS_HELD_OUT,
  HELD_OUT,
  harmlessRequests,
  harmlessRoles,
  INSTRUCTED,
  type InjectionCase,
  ORDINARY_DOCUMENTS,
  UNWRAPPED,
  WRAPPED,
} from '../../plugins/injection/corpora.ts'
import type { Corpus } from '../corpus.ts'

const attacks = (name: string, cases: readonly InjectionCase[]): Corpus => ({
  name,
  plugin: 'injection',
  kind: 'positive',
  group: 'injection',
  detectOnly: true,
  // An attack is the whole text; a finding marks only the words that gave it away.
  cases: () => cases.map(({ text }) => ({ text, values: [{ start: 0, end: text.length }] })),
})

const harmless = (name: string, texts: () => readonly string[]): Corpus => ({
  name,
  plugin: 'injection',
  kind: 'harmless',
  group: 'injection, harmless',
  detectOnly: true,
  cases: () => texts().map((text) => ({ text })),
})

const inDocuments = (corpus: Corpus): Corpus => ({ ...corpus, channel: 'tool_result' })
const texts = (list: readonly string[]): readonly InjectionCase[] => list.map((text) => ({ text }) as InjectionCase)

export default [
  inDocuments({
    ...attacks('injection, in documents', texts(Object.values(INSTRUCTED).flat())),
    group: 'injection, in documents',
  }),
  { ...attacks('injection, wrapped', texts(WRAPPED)), group: 'injection, in documents' },
  inDocuments(harmless('injection, ordinary documents', () => ORDINARY_DOCUMENTS)),
  harmless('injection, wrapped, harmless', () => UNWRAPPED),
  attacks('injection, tuned on', ATTACKS),
  attacks('injection, held out', HELD_OUT),
  harmless('injection, ordinary prompts', () => HARMLESS),
  harmless('injection, ordinary prompts, held out', () => HARMLESS_HELD_OUT),
  harmless('injection, requests from templates', () => harmlessRequests(1000, 5)),
  harmless('injection, roles from templates', () => harmlessRoles(600, 6)),
] satisfies Corpus[]
