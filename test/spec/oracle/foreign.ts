/** Tokens that another exchange made: whoever writes one gets it back as it is, and nobody's value. */
import { ADMIN_KEY, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { PATHS, plainAsk } from './apis.ts'
import { assemble } from './assemble.ts'
import type { Case } from './case.ts'
import { ask, type Got } from './client.ts'
import { apiOf, type Judgement, judgeSecrets, tokenIn } from './judge.ts'
import { judgeShape } from './judge-form.ts'
import { speech } from './judge-talk.ts'
import type { Said } from './provider.ts'
import { canRead, has } from './reader.ts'
import type { TalkingApi } from './talk-forms.ts'
import { makeCanary } from './values.ts'
import { UNGUARDED_KEY } from './warm.ts'
import type { World } from './world.ts'

const OWN = bearer(USER_KEY)

/** Who asks for a token, of an exchange that is over or still runs, and whether the token is in what was asked. */
export const FOREIGN = {
  'own-key': { headers: OWN, tells: true },
  'own-key-untold': { headers: OWN, tells: false },
  'other-key': { headers: bearer(ADMIN_KEY), tells: true },
  'other-key-untold': { headers: bearer(ADMIN_KEY), tells: false },
  'unguarded-key': { headers: bearer(UNGUARDED_KEY), tells: true },
  beside: { headers: OWN, tells: true, beside: true },
  'beside-untold': { headers: bearer(ADMIN_KEY), tells: false, beside: true },
} as const satisfies Record<string, { headers: Record<string, string>; tells: boolean; beside?: true }>

export async function judgeForeign(world: World, x: Case): Promise<Judgement> {
  const canary = makeCanary(x.kind, x.value)
  const api = apiOf(x) as TalkingApi
  const how = FOREIGN[x.place as keyof typeof FOREIGN]
  const faults: string[] = []
  let token = ''
  let said = ''
  world.newLog()
  const { promise: isLearned, resolve: onLearned } = Promise.withResolvers<void>()
  const { promise: isOver, resolve: onOver } = Promise.withResolvers<void>()
  world.provider.expect((asked): Said => {
    if (token === '') {
      token = tokenIn(asked)
      onLearned()
      const first = speech({ delta: { content: `I noted ${token}.` } }, { ...x, stream: true }, api)
      return 'beside' in how ? { ...first, last: isOver } : first
    }
    const reply = speech({ delta: { content: `It was ${token}, or ${token}?` } }, x, api)
    said = Buffer.concat(reply.pieces).toString()
    return reply
  })
  const url = world.gateway.url + PATHS[api]
  const send = (headers: Record<string, string>, content: string, stream: boolean): Promise<Got> =>
    ask(url, headers, JSON.stringify({ ...plainAsk(api, content), ...(stream && { stream }) }))
  const first = send(OWN, `My value is ${canary.value} you know`, true)
  const early = await ('beside' in how ? Promise.race([isLearned, first]) : first)
  // Nobody is told a value that is blocked.
  if (token === '')
    return { canary, faults, request: x.place, sent: '', said, got: early ?? (await first), exchanges: 1 }
  const got = await send(how.headers, how.tells ? `What is ${token}?` : 'What was it?', x.stream)
  onOver()
  const own = await first
  judgeShape({ ...x, ending: 'normal' }, api, got, faults)
  const { texts, rest } = assemble(got.body, x.stream)
  for (const [path, text] of texts) if (canRead(text, canary.needles)) faults.push(`leak:foreign:${path}`)
  if (has(rest.join('\n'), canary.needles)) faults.push('leak:foreign:between events')
  const isMade = !token.endsWith('_aaaaaaaaaa')
  if (isMade && ![...texts.values()].some((text) => text.split(token).length > 2)) faults.push(`altered:token ${token}`)
  if (isMade && !has([...assemble(own.body, true).texts.values()].join('\n'), canary.needles))
    faults.push('lost:value of the first exchange')
  for (const { body } of world.provider.asked) if (has(body, canary.needles)) faults.push('leak:provider')
  if (has(world.newLog().join('\n'), canary.needles)) faults.push('leak:log')
  judgeSecrets(got, world, faults)
  return { canary, faults, request: x.place, sent: '', said, got, exchanges: 2 }
}
