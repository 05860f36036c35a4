import type { Member } from './member.ts'

/** So many workers may end over a new config before it is to blame. */
const VICTIMS = 2

/**
 * Has all workers build a new config. Returns why they do not take it; undefined when they do. One tries first: a
 * plugin that ends its process, or hangs, must not take all of them with it. A worker that ends meanwhile may have had
 * other reasons, so another gets to try; who comes in its place gets the config that is then in force.
 */
export async function prepareAll(
  members: readonly Member[],
  change: number,
  text: string,
): Promise<string | undefined> {
  const victims: number[] = []
  for (const [i, member] of members.entries()) {
    const verdict = await member.prepare(change, text)
    if (typeof verdict === 'object') return told(member, verdict.problem)
    if (verdict === 'prepared') return prepareRest(members.slice(i + 1), change, text)
    if (victims.push(member.number) === VICTIMS) break
  }
  const which = victims.length === 1 ? `Worker ${victims[0]}` : `Workers ${victims.join(' and ')}`
  return `${which} ended while building the new config: does a plugin end its process, or hang? The log says how.`
}

async function prepareRest(members: readonly Member[], change: number, text: string): Promise<string | undefined> {
  const verdicts = await Promise.all(members.map((member) => member.prepare(change, text)))
  for (const [i, verdict] of verdicts.entries()) {
    if (typeof verdict === 'object') return told(members[i] as Member, verdict.problem)
  }
  return undefined
}

const told = (member: Member, problem: string): string => `Worker ${member.number}: ${problem}`
