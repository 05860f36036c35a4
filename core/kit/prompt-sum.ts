import type { Prompt } from '../engine/contract/plugin.ts'

/**
 * Adds something up over a prompt. For messages and tools that came in earlier requests it is remembered.
 *
 * @param what names what is added up
 * @param weigh the sum over any prompt; it depends on nothing else
 */
export function sumOfPrompt(prompt: Prompt, what: string, weigh: (prompt: Prompt) => number): number {
  const { parts } = prompt
  if (parts === undefined) return weigh(prompt)
  let all = 0
  for (const { before, fresh, sums } of parts) {
    let sum = weigh(fresh)
    if (before !== undefined) sum += before.sums.get(what) ?? weigh(before.prompt)
    sums?.set(what, sum)
    all += sum
  }
  return all
}
