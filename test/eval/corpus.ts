/**
 * What the evaluation is made of. Each file in corpora/ exports by default an array of corpora; the evaluation finds
 * them by itself.
 */

/** A text with the values that must not pass. */
export interface Case {
  readonly text: string
  /** Absent in harmless text. */
  readonly values?: readonly { readonly start: number; readonly end: number }[]
}

export interface Corpus {
  /** A row of the report: `email`, `card, disguised`. */
  readonly name: string
  /** The bundled plugin that is measured. */
  readonly plugin: 'pii' | 'secrets' | 'injection'
  readonly kind: 'positive' | 'harmless'
  /** The limit that the row counts for; see limits.ts. */
  readonly group: string
  /** Where the texts stand; default: the content of a message. */
  readonly channel?: 'content' | 'tool_result'
  /** Options of the plugin; default none. */
  readonly options?: object
  /** Findings that only count, do not rewrite, are hits too (a plugin whose default is `detect`). */
  readonly detectOnly?: boolean
  /** The same cases on every call. */
  cases(): readonly Case[]
}

/** `Call {} now` and a value make a case. */
export function embed(template: string, value: string): Case {
  const start = template.indexOf('{}')
  if (start < 0) throw new Error(`no {} in ${template}`)
  return {
    text: template.slice(0, start) + value + template.slice(start + 2),
    values: [{ start, end: start + value.length }],
  }
}
