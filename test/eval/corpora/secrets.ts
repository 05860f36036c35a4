import { lineCases, secretCases } from '../../plugins/secrets/data/cases.ts'
import { harmlessCases } from '../../plugins/secrets/data/harmless.ts'
import type { Case, Corpus } from '../corpus.ts'

const FAMILIES = {
  prefix: 'published formats',
  labelled: 'labelled values',
  notation: 'notations of 20 languages',
  structured: 'tokens, URLs, private keys',
} as const

const positive = (family: keyof typeof FAMILIES): Corpus => ({
  name: `secrets, ${FAMILIES[family]}`,
  plugin: 'secrets',
  kind: 'positive',
  group: 'secrets',
  cases: () => secretCases(8, 11).flatMap((one) => (one.family === family ? [caseOf(one.text, one.value)] : [])),
})

function caseOf(text: string, value: string): Case {
  const start = text.indexOf(value)
  return { text, values: [{ start, end: start + value.length }] }
}

/** Enough draws of each line that no form of a password hides behind the others. */
const lines: Corpus = {
  name: 'secrets, passwords in lines of files',
  plugin: 'secrets',
  kind: 'positive',
  group: 'secrets',
  cases: () => lineCases(60, 17).map(({ text, value }) => caseOf(text, value)),
}

/** Prose, code and logs beside the general corpora: texts that look like secrets. */
const harmless: Corpus = {
  name: 'secrets, near misses',
  plugin: 'secrets',
  kind: 'harmless',
  group: 'near misses',
  cases: () => harmlessCases(60, 13).map(({ text }) => ({ text })),
}

export default [
  positive('prefix'),
  positive('labelled'),
  positive('notation'),
  positive('structured'),
  lines,
  harmless,
] satisfies Corpus[]
