/** The faults that the oracle must find. Each is a change of a line or two that would let a value out. */
import type { Mutation } from './mutation.ts'

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a redaction writes what it was to hide',
    file: 'core/text/findings.ts',
    find: 'return { start, end, text: placeholder(lead.type), action }',
    replace: 'return { start, end, text: textOf(start, end), action }',
  },
  {
    name: 'a redaction begins too late',
    file: 'core/text/findings.ts',
    find: 'return { start, end, text: placeholder(lead.type), action }',
    replace: 'return { start: Math.min(start + 26, end), end, text: placeholder(lead.type), action }',
  },
]
