/** Many callers at once, over all APIs that hold talks: each gets its own values back, and nothing of anybody else's. */
import { ADMIN_KEY, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { PATHS, plainAsk } from './apis.ts'
import { assemble } from './assemble.ts'
import type { Case } from './case.ts'
import { speech } from './judge-talk.ts'
import type { Asked } from './provider.ts'
import { TALKING, type TalkingApi } from './talk-forms.ts'
import { EXAMPLE, TOKEN } from './tokens.ts'
import { type Canary, Dice, makeCanary } from './values.ts'
import { MONITORED_KEY } from './warm.ts'
import type { World } from './world.ts'

interface Caller {
  readonly at: number
  readonly canary: Canary
  readonly api: TalkingApi
  readonly isStream: boolean
  readonly keyId: 'user' | 'admin' | 'monitored'
  /** Leaves after this many bytes. */
  readonly leavesAfter: number
}

const KEYS = { user: USER_KEY, admin: ADMIN_KEY, monitored: MONITORED_KEY } as const
const IDS = Object.keys(KEYS) as (keyof typeof KEYS)[]

/** What every third caller says before its own: all share what is remembered of it. */
const SHARED = 'Please keep to the rules of the house, and answer in plain English. '.repeat(8)

function makeCallers(size: number, seed: number): Caller[] {
  const d = new Dice(seed)
  return Array.from({ length: size }, (_, at) => ({
    at,
    canary: makeCanary('email', seed + at),
    api: TALKING[d.below(TALKING.length)] as TalkingApi,
    isStream: d.below(2) === 0,
    keyId: IDS[d.below(IDS.length)] as keyof typeof KEYS,
    leavesAfter: d.below(10) === 0 ? 200 : Infinity,
  }))
}

/** The words of a caller, with its number so that the provider knows whom it answers. */
const askOf = ({ at, canary, api, isStream }: Caller): object => ({
  ...plainAsk(api, `${at % 3 === 0 ? SHARED : ''}I am caller ${at}, write to ${canary.value} please`),
  ...(isStream && { stream: true }),
})

const callerOf = ({ body }: Asked): number => Number(/I am caller (\d+),/.exec(body)?.[1])

const TOKENS = (body: string): string[] => (body.match(TOKEN) ?? []).filter((one) => one !== EXAMPLE)

/** @param concurrency how many callers wait for a reply at any time */
export async function crowd(world: World, size: number, concurrency: number, seed: number): Promise<string[]> {
  const faults: string[] = []
  const callers = makeCallers(size, seed)
  const owners = new Map(callers.map(({ at, canary }) => [canary.value, at]))
  const values = /[\w.+-]+@[\w.-]+\w/g
  const foreignIn = (text: string, at: number): string[] =>
    (text.match(values) ?? []).filter((one) => (owners.get(one) ?? at) !== at)
  const asked = new Map<number, string>()
  world.provider.expect((one) => {
    const { at, api, isStream, keyId } = callers[callerOf(one)] as Caller
    asked.set(at, one.body)
    const own = keyId === 'monitored' ? 'your address' : (TOKENS(one.body)[0] ?? 'no token')
    const how = { stream: isStream, value: at, pace: 'tokens', cuts: [], framing: 'lf', split: 'events', json: 'plain' }
    const content = `Caller ${at}, I wrote to ${own} and to ${own} about what you said.`
    return speech({ delta: { content } }, how as unknown as Case, api)
  })
  const ids = new Map<string, Caller>()
  let next = 0
  const call = async (): Promise<void> => {
    for (let caller = callers[next++]; caller; caller = callers[next++]) {
      const { at, canary, api, isStream, keyId, leavesAfter } = caller
      const leaving = new AbortController()
      const reply = await send(world.gateway.url + PATHS[api], {
        headers: bearer(KEYS[keyId]),
        body: askOf(caller),
        signal: leaving.signal,
      })
      const chunks: Buffer[] = []
      let length = 0
      for (let bytes = await reply.read(); bytes && length < leavesAfter; bytes = await reply.read()) {
        chunks.push(bytes)
        length += bytes.length
      }
      leaving.abort()
      const body = Buffer.concat(chunks).toString()
      const id = String(reply.headers['x-request-id'])
      if (ids.has(id)) faults.push(`caller ${at} and ${ids.get(id)?.at} have one request id`)
      ids.set(id, caller)
      if (reply.status !== 200) faults.push(`caller ${at}: status ${reply.status}: ${body.slice(0, 200)}`)
      for (const value of foreignIn(body, at)) faults.push(`caller ${at} got ${value} of ${owners.get(value)}`)
      for (const [, other] of body.matchAll(/Caller (\d+),/g))
        if (Number(other) !== at) faults.push(`caller ${at} got the reply of ${other}`)
      if (leavesAfter < Infinity || keyId === 'monitored') continue
      const texts = [...assemble(body, isStream).texts.values()]
      const expected = `Caller ${at}, I wrote to ${canary.value} and to ${canary.value} about what you said.`
      if (!texts.some((text) => text.includes(expected)))
        faults.push(`caller ${at} lost its value: ${body.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, call))
  for (const { at, keyId, canary } of callers) {
    const body = asked.get(at) ?? ''
    const isGuarded = keyId !== 'monitored'
    if (body.includes(canary.value) === isGuarded) faults.push(`the provider was told the wrong thing of caller ${at}`)
    for (const value of foreignIn(body, at)) faults.push(`the provider got ${value} with caller ${at}`)
  }
  const tokens = [...asked.values()].flatMap((body) => [...new Set(TOKENS(body))])
  if (new Set(tokens).size !== tokens.length) faults.push('two callers have one token')
  faults.push(...judgeTrail((await world.kept())['audit trail'] ?? '', ids))
  return faults
}

/** Each exchange has one last event, of the key that asked. */
function judgeTrail(trail: string, ids: ReadonlyMap<string, Caller>): string[] {
  const keys = new Map<string, string[]>()
  for (const page of trail.split('\n').filter((line) => line !== '')) {
    const { events } = JSON.parse(page) as { events: { type: string; request_id?: string; key_id?: string }[] }
    for (const { type, request_id: id = '', key_id: key = '' } of events)
      if (type === 'request.completed' || type === 'stream.aborted') keys.set(id, [...(keys.get(id) ?? []), key])
  }
  return [...ids].flatMap(([id, { at, keyId }]) =>
    keys.get(id)?.join() === keyId
      ? []
      : [`caller ${at} of ${keyId} has last events of ${keys.get(id)?.join() ?? 'nobody'}`],
  )
}
