/** Plays a talk over several turns. */
import { PATHS } from './apis.ts'
import type { Case } from './case.ts'
import { ask, type Got } from './client.ts'
import { apiOf, HEADERS, type Judgement, judgeProvider, judgeSecrets, pieces } from './judge.ts'
import { judgeShape } from './judge-form.ts'
import type { JsonObject } from './places-in.ts'
import type { Members } from './places-out.ts'
import type { Said } from './provider.ts'
import { has } from './reader.ts'
import { sdkContent, sdkMessage } from './sdk.ts'
import { inForm, type TalkingApi, talkRequest, talkScene } from './talk-forms.ts'
import { TALKS, type Talk } from './talks.ts'
import { EXAMPLE, TOKEN } from './tokens.ts'
import { makeCanary } from './values.ts'
import { completionOf, sceneReply, sceneStream, streamOf } from './wire.ts'
import type { World } from './world.ts'

/** Turn after turn: the provider never learns the value, and who may know it finds it where its token stood. */
export async function judgeTalk(world: World, x: Case): Promise<Judgement> {
  const canary = makeCanary(x.kind, x.value)
  const { opening, turns } = TALKS[x.place] as Talk
  const api = apiOf(x) as TalkingApi
  const history = opening(canary.value).map((message) => inForm(api, message))
  const faults: string[] = []
  const requests: string[] = []
  const sent: string[] = []
  let said = ''
  let got: Got | undefined
  world.newLog()
  for (const [at, { says, after }] of turns.entries()) {
    let token = ''
    world.provider.expect(({ body }) => {
      // A token that the client sent is a text of its own to the gateway: docs/decisions has why.
      token = body.match(TOKEN)?.findLast((one) => !one.startsWith('LITERAL_') && one !== EXAMPLE) ?? ''
      const reply = speech(says(token), x, api)
      said = Buffer.concat(reply.pieces).toString()
      return reply
    })
    const request = JSON.stringify({ ...talkRequest(api, history), ...(x.stream && { stream: true }) })
    requests.push(request)
    const session = { 'x-service-session-id': `talk-${x.value}` }
    got = await ask(world.gateway.url + PATHS[api], { ...HEADERS, ...session }, request)
    sent.push(...world.provider.asked.map(({ body }) => body))
    judgeShape({ ...x, ending: 'normal' }, api, got, faults)
    judgeProvider(world, { ...x, side: 'input' }, canary, faults)
    judgeSecrets(got, world, faults)
    if (has(world.newLog().join('\n'), canary.needles)) faults.push('leak:log')
    if (got.status !== 200 || faults.length > 0) break
    const kept = await keptOf(got, x.stream, api)
    if (kept === undefined) break
    // Arguments of tools keep their tokens, unless the options say otherwise.
    const isProse = (says(token).delta as JsonObject).content !== null
    if (token !== '' && x.config === 'tokenize' && isProse && !has(JSON.stringify(kept), canary.needles))
      faults.push(`lost:value in turn ${at + 1}: ${JSON.stringify(kept)}`)
    history.push(...kept, ...(after?.(canary.value) ?? []).map((message) => inForm(api, message)))
  }
  const exchanges = requests.length
  return { canary, faults, request: requests.join('\n'), sent: sent.join('\n'), said, got: got as Got, exchanges }
}

/** What a client keeps of a reply, to send it back. */
async function keptOf(got: Got, isStream: boolean, api: TalkingApi): Promise<JsonObject[] | undefined> {
  if (api === 'chat') {
    const message = await sdkMessage(got, isStream)
    return message && [message]
  }
  const content = (await sdkContent(got, isStream, api)) as JsonObject[] | undefined
  return api === 'messages' && content ? [{ role: 'assistant', content }] : content
}

/** What a model says at once, or in pieces. */
export function speech(members: Members, x: Case, api: TalkingApi): Said {
  const shape = {
    framing: x.framing,
    split: x.split,
    ending: 'normal',
    indexes: 'normal',
    mix: 'none',
    json: x.json,
    seed: x.value,
  } as const
  if (api !== 'chat') {
    const scene = talkScene(api, members, (text) => pieces(text, x))
    return x.stream ? sceneStream(scene, [], shape) : sceneReply(api, scene, '', x.json)
  }
  if (!x.stream) return completionOf(members)
  const { content, tool_calls: calls } = members.delta as { content: string | null; tool_calls?: JsonObject[] }
  const steps: Members[] = pieces(content ?? '', x).map((piece) => ({ delta: { content: piece } }))
  for (const call of calls ?? []) {
    const { function: fn, ...rest } = call as { function: { name: string; arguments: string }; index: number }
    for (const [at, piece] of pieces(fn.arguments, x).entries()) {
      const one =
        at === 0
          ? { ...rest, function: { ...fn, arguments: piece } }
          : { index: rest.index, function: { arguments: piece } }
      steps.push({ delta: { tool_calls: [one] } })
    }
  }
  return streamOf(steps, shape)
}
