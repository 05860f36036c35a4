/** What tests of the memo share: a plugin that finds a word and notes what it was shown, and parts of conversations. */
import type { TestContext } from 'node:test'
import { definePlugin, type Instance } from 'governed-gateway'
import { type AnyPlugin, type PluginRig, type PluginSetup, startPlugin } from '../../../../core/testing/index.ts'

export const WORD = 'f4lc0n'

/** How its texts may be remembered. */
export type Reading = Pick<Instance, 'pure' | 'memoKey'> & { replace?: () => string }

interface Finder extends Reading {
  readonly name?: string
  readonly word?: string
  /** Notes `id path text` of a view, default only the text. */
  readonly whole?: boolean
}

/** A question, and an answer that is a value only behind it. */
export const QUESTION = 'Which bird is it?'
export const ANSWER = 'No. 4711'

/** Redacts a word in requests, and the answer to a question. */
export function finder({ name = 'finder', word = WORD, whole = false, replace, ...more }: Finder) {
  const seen: string[] = []
  const plugin = definePlugin({
    name,
    schema: { type: 'object', properties: {}, additionalProperties: false },
    lookbehind: 0,
    create: () => ({
      ...more,
      detects: 'input',
      detect(view) {
        seen.push(whole ? `${view.id} ${view.path} ${view.text}` : view.text)
        if (view.answer !== undefined && view.text.startsWith(QUESTION) && view.text.endsWith(ANSWER))
          view.report({ type: 'bird', start: view.answer, end: view.text.length, action: 'redact' })
        for (let at = view.text.indexOf(word); at >= 0; at = view.text.indexOf(word, at + 1)) {
          view.report({ type: 'bird', start: at, end: at + word.length, action: 'redact', ...(replace && { replace }) })
        }
      },
    }),
  })
  return { plugin: plugin as AnyPlugin, take: () => seen.splice(0) }
}

/** A gateway with a memo of so many bytes, which takes texts of any length. */
export async function remembering(
  t: TestContext,
  plugin: AnyPlugin,
  memo_bytes = 1e6,
  setup: PluginSetup = {},
): Promise<PluginRig> {
  const rig = await startPlugin(plugin, { ...setup, config: { inspection: { memo_bytes, memo_from_bytes: 0 } } })
  t.after(() => rig.close())
  return rig
}

export const user = (content: unknown) => ({ role: 'user', content })
export const call = (path: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: JSON.stringify({ path }) } }],
})
export const tool = (description: string) => ({
  type: 'function',
  function: { name: 'find', description, parameters: { type: 'object', properties: { name: { type: 'string' } } } },
})

/** Texts that hold the word, or begin or end it. */
export const WORDS = ['it is f4l', 'c0n is', 'f4', 'lc', '0n', 'no.', 'so', 'ü "a" \\', WORD]
