import { createSecretKey } from 'node:crypto'
import { definePlugin, type Exchange, sessionFact } from 'governed-gateway'
import { DerivedSessions } from './derived.ts'
import { explicitId, shownId, turnAfter, usersIn } from './identity.ts'
import { schema } from './schema.ts'
import { Turns } from './turns.ts'

/** Groups requests into sessions, explicit or derived, and numbers their turns. Authorises nothing. */
export default definePlugin({
  name: 'sessions',
  description: 'Groups requests into sessions by header, metadata or the beginning of the conversation',
  governs: 'usage',
  provides: [sessionFact],
  schema,
  create({ ttl_hours: ttlHours }, { log, store, subkey }) {
    // Create the key object once: HMAC with raw bytes creates one per request and takes six times as long.
    const secret = createSecretKey(subkey('sessions'))
    const turns = new Turns(store, ttlHours, log)
    const derived = new DerivedSessions(secret)
    const number = async (x: Exchange, id: string) =>
      x.facts.set(sessionFact, { id, turnIndex: (await turns.next(x, id)) ?? turnAfter(usersIn(x.request.messages)) })
    return {
      apply(hooks) {
        hooks.preRequest.tap('sessions', (x) => {
          // No turn: it asks for one that was counted.
          if (x.request.stored) return undefined
          const id = explicitId(x)
          if (typeof id === 'object') return id
          if (id !== undefined) return number(x, shownId(secret, x.caller.keyId, id))
          x.facts.set(sessionFact, derived.of(x))
          return undefined
        })
        hooks.postResponse.tap('sessions', (x) => turns.end(x))
      },
    }
  },
})
