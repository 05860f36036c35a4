export interface InjectionCase {
  readonly kind: string
  readonly text: string
  readonly role?: 'user' | 'tool'
}

/** Attacks of one kind. */
export const cases = (kind: string, texts: readonly string[], role?: 'tool'): InjectionCase[] =>
  texts.map((text) => (role === undefined ? { kind, text } : { kind, text, role }))
