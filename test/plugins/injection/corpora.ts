/** The texts of `test/fixtures/injection`: attacks, and what only looks like them. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { pick, random } from '../secrets/data/random.ts'

export interface InjectionCase {
  readonly kind: string
  readonly text: string
  readonly role?: 'user' | 'tool'
}

type Texts = readonly string[]
type Kind = Omit<InjectionCase, 'text'> & { readonly texts: Texts }
interface Pattern {
  readonly template: string
  readonly slots: readonly Texts[]
}

const read = <T>(name: string): T =>
  parse(readFileSync(new URL(`../../fixtures/injection/${name}.yaml`, import.meta.url), 'utf8'))
const casesOf = (name: string): InjectionCase[] =>
  read<Kind[]>(name).flatMap(({ texts, ...kind }) => texts.map((text) => ({ ...kind, text })))

/** What the rules were tuned on. */
export const ATTACKS = casesOf('attacks')
/** Written apart from the rules: measured, never tuned on. */
export const HELD_OUT = casesOf('held-out')
/** Ordinary prompts, seen while the rules were written, and others. */
export const { seen: HARMLESS, held_out: HARMLESS_HELD_OUT } = read<Record<'seen' | 'held_out', Texts>>('harmless')
/** Mails and tool results with an instruction by rule, and without; jailbreaks by form, and the same words with nothing to hide. */
export const {
  instructed: INSTRUCTED,
  ordinary: ORDINARY_DOCUMENTS,
  wrapped: WRAPPED,
  unwrapped: UNWRAPPED,
} = read<{ instructed: Readonly<Record<string, Texts>> } & Record<'ordinary' | 'wrapped' | 'unwrapped', Texts>>(
  'documents',
)

const templates = read<Record<'requests' | 'roles', readonly Pattern[]>>('templates')

/** `count` texts, the same for the same seed. */
export const harmlessRoles = (count: number, seed: number): string[] => filled(count, seed, templates.roles)

/** As {@link harmlessRoles}. */
export const harmlessRequests = (count: number, seed: number): string[] => filled(count, seed, templates.requests)

function filled(count: number, seed: number, patterns: readonly Pattern[]): string[] {
  const next = random(seed)
  const texts = new Set<string>()
  while (texts.size < count) {
    const { template, slots } = pick(next, patterns)
    texts.add(
      template
        .replace(/\{(\d)\}/g, (_, index: string) => pick(next, slots[Number(index)] as Texts))
        .replace(/([.?!,])[.,?]/g, '$1'),
    )
  }
  return [...texts]
}
