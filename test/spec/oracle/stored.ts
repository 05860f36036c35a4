/** Reads a stored response: what the provider says of it later must be as unreadable as a reply. */
import type { Case } from './case.ts'
import { ask, type Got } from './client.ts'
import { encoded } from './codings.ts'
import { HEADERS, type Judgement, judgeClient, judgeSecrets, replyOf, textOf } from './judge.ts'
import { judgeShape } from './judge-form.ts'
import { eachOf } from './pairs.ts'
import { has } from './reader.ts'
import { LISTS, placeOfStored, STORED_ID } from './stored-places.ts'
import { makeCanary } from './values.ts'
import { jsonSaid } from './wire.ts'
import { wholeResponse } from './wire-responses.ts'
import type { World } from './world.ts'

/** The method and the path that ask for it. */
function routeOf({ place, stream, value }: Case): readonly [method: string, path: string] {
  const path = `/v1/responses/${STORED_ID}`
  if (place.startsWith('cancel')) return ['POST', `${path}/cancel`]
  if (place.startsWith('items')) return ['GET', `${path}/input_items`]
  if (place.startsWith('compact')) return ['POST', '/v1/responses/compact']
  if (place === 'delete') return ['DELETE', path]
  if (!stream) return ['GET', path]
  return ['GET', `${path}?stream=true${value % 3 === 0 ? `&starting_after=${value % 7}` : ''}`]
}

export async function judgeStored(world: World, x: Case): Promise<Judgement> {
  const canary = makeCanary(x.kind, x.value)
  const faults: string[] = []
  const inner: Case = { ...x, side: 'output', place: placeOfStored(x.place) ?? 'responses-text' }
  const [method, path] = routeOf(x)
  let said = ''
  world.newLog()
  const send = (to: string, body: string, how = 'POST'): Promise<Got> =>
    ask(world.gateway.url + to, HEADERS, body, 'stays', undefined, how)
  world.provider.expect(() => jsonSaid({ ...wholeResponse(undefined, ''), id: STORED_ID }))
  const made = await send('/v1/responses', JSON.stringify({ model: 'gpt-test', input: 'Hello there' }))
  if (made.status !== 200) faults.push(`stored:not made ${made.status}`)
  world.provider.expect((asked) => {
    const list = LISTS[x.place]
    const reply = encoded(list ? jsonSaid(list(textOf(x, canary))) : replyOf(inner, canary, asked), x.coding, x.value)
    said = Buffer.concat(reply.pieces).toString()
    return reply
  })
  const body = x.place.startsWith('compact') ? JSON.stringify({ model: 'gpt-test', input: 'Hello' }) : ''
  const got = await send(path, body, method)
  if (world.provider.asked.length !== 1) faults.push(`stored:asked ${world.provider.asked.length} times`)
  judgeShape(inner, 'responses', got, faults)
  const log = world.newLog().join('\n')
  for (const [one, value] of eachOf(inner, canary)) {
    await judgeClient(one, value, got, faults)
    if (has(log, value.needles)) faults.push('leak:log')
  }
  judgeSecrets(got, world, faults)
  return { canary, faults, request: `${method} ${path}`, sent: '', said, got, exchanges: 2 }
}
