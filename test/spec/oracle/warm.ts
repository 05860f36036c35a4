/** The same request before, under a looser policy or the same one: what the gateway remembers of it must not loosen the next. */
import { bearer } from '../../helpers/gateway.ts'
import type { RawAsk } from './attacks.ts'
import type { Case } from './case.ts'
import { ask } from './client.ts'

export const WARMTHS = ['again', 'monitored', 'loosened', 'unguarded', 'rehearsed'] as const
/** `cold`: nothing came before. */
export type Warm = (typeof WARMTHS)[number] | 'cold'

/** Keys whose requests are only watched, or not even that. */
export const MONITORED_KEY = 'sk-test-monitored-key-0123456789'
export const UNGUARDED_KEY = 'sk-test-unguarded-key-0123456789'

/** What comes with the request that was there before. */
const HEADERS: Readonly<Record<Warm, Record<string, string>>> = {
  cold: {},
  again: {},
  monitored: bearer(MONITORED_KEY),
  unguarded: bearer(UNGUARDED_KEY),
  loosened: { 'x-service-flags': 'mode=monitor' },
  rehearsed: { 'x-service-flags': 'dry_run=true' },
}

/** Policies without flags. */
const PLAIN: ReadonlySet<Case['config']> = new Set(['custom', 'guard'])

/** Sends it; says how many exchanges it was. */
export async function warmUp(url: string, x: Case, { path, headers, body }: RawAsk): Promise<number> {
  if (x.warm === 'cold' || x.side === 'ask' || x.config === 'relay') return 0
  const more = PLAIN.has(x.config) && x.warm !== 'monitored' ? {} : HEADERS[x.warm]
  await ask(url + path, { ...headers, ...more }, body)
  return 1
}
