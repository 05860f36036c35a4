/** Recognises prompt injection and jailbreak attempts in text sent to a model. See README.md. */
import { definePlugin, type Exchange, type TextView } from 'governed-gateway'
import { warmUp } from 'governed-gateway/kit'
import { type Assessment, evaluate, evaluateInSteps, type Origin } from './evaluate.ts'
import { type Options, schema } from './schema.ts'
import { isPrepared, PREPARATIONS } from './score.ts'
import { LONGEST_AT_ONCE } from './words.ts'

export default definePlugin({
  name: 'injection',
  description: 'Scores prompts, tool results and retrieved text for prompt injection and jailbreaks',
  lookbehind: 0,
  schema,
  events: { 'injection.detected': { severity: 'detection', title: 'Prompt injection detected' } },
  create(options) {
    const { action, threshold, level, allow } = options
    let stopWarming = () => {}
    return {
      start() {
        stopWarming = warmUp(PREPARATIONS)
      },
      stop: () => stopWarming(),
      pure: true,
      detects: 'input',
      detect(view, x) {
        // Borders between two roles: words of different authors form no sentence.
        if (view.reading === 'border' && view.role === undefined) return
        const weight = weightOf(view, options.weights)
        if (weight === 0 || view.text.length < 8) return
        const origin: Origin = { weight, isUser: !isDocument(view), isBorder: view.reading === 'border' }
        const parts = excerpts(view.text, options.max_length)
        const [first] = parts as [Excerpt]
        if (first.text.length > LONGEST_AT_ONCE || !isPrepared()) return lookInTurns(view, parts, origin, x)
        const isFound = report(view, first, evaluate(blank(first.text, allow), origin))
        if (!isFound && parts.length > 1) return x.nextTurn().then(() => lookInTurns(view, parts.slice(1), origin, x))
      },
    }

    /** Returns whether it reported a finding. */
    function report(view: TextView, { offset }: Excerpt, found: Assessment | undefined): boolean {
      if (found === undefined || found.score < threshold) return false
      view.report({
        type: found.family,
        start: offset + found.start,
        end: offset + found.end,
        action,
        score: Math.round(found.score * 100) / 100,
        reason: `${view.path} looks like a prompt injection (${[...found.families.slice(0, 3), ...found.rules.slice(0, 3)].join(', ')}).`,
        ...(level !== undefined && { level }),
      })
      return true
    }

    async function lookInTurns(view: TextView, parts: readonly Excerpt[], origin: Origin, x: Exchange): Promise<void> {
      if (!isPrepared()) {
        for (const prepare of PREPARATIONS) {
          prepare()
          await x.nextTurn()
        }
      }
      for (const part of parts) {
        const steps = evaluateInSteps(blank(part.text, allow), origin)
        let step = steps.next()
        for (; step.done !== true; step = steps.next()) await x.nextTurn()
        if (report(view, part, step.value)) return
        await x.nextTurn()
      }
    }
  },
})

/** Fetched by a tool: the user did not write it. */
const isDocument = ({ role, channel }: TextView): boolean =>
  channel === 'tool_result' || role === 'tool' || role === 'function'

function weightOf(view: TextView, weights: Options['weights']): number {
  const { role, channel } = view
  if (channel === 'tool_definition' || channel === 'response_schema') return weights.tool_definition
  if (isDocument(view)) return weights.tool
  if (role === 'system' || role === 'developer') return weights.system
  if (role === 'assistant') return weights.assistant
  return role === 'user' || channel === 'content' ? weights.user : weights.other
}

interface Excerpt {
  readonly text: string
  readonly offset: number
}

/** The beginning and the end of an overlong text: attacks come first or are appended. */
function excerpts(text: string, maxLength: number): Excerpt[] {
  if (text.length <= maxLength) return [{ text, offset: 0 }]
  const half = maxLength >> 1
  return [
    { text: text.slice(0, half), offset: 0 },
    { text: text.slice(-half), offset: text.length - half },
  ]
}

/** Blanks allowed passages, so that offsets stay. */
function blank(text: string, allow: readonly string[]): string {
  let out = text
  for (const passage of allow) if (out.includes(passage)) out = out.replaceAll(passage, ' '.repeat(passage.length))
  return out
}
