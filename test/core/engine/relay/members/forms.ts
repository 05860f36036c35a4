/** Events of which one string is told in pieces, one in each event. The forms are those of the APIs' documents. */

export type Form = { readonly [member: string]: unknown }
/** The events of a whole stream that tells these pieces. */
export type Telling = (pieces: readonly string[]) => Form[]

/** The same value with a text in the place of `@`. */
export function put<T>(form: T, piece: string): T {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace('@', () => piece)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
  }
  return fill(form) as T
}
