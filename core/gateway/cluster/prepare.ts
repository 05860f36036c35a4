import type { Member } from './member.ts'

/** After this many workers died, the new config is to blame. */
const VICTIMS = 2

/**
 * Lets all workers build a new config. Returns why they reject it, or undefined. One worker tries first, so that a
 * plugin that exits or hangs cannot stop all of them. If it dies, the cause may be unrelated, so another worker tries.
 * A replacement worker gets the config that is active then.
 */
export async function prepareAll(
  members: readonly Member[],
  change: number,
  text: string,
): Promise<string | undefined> {
  const victims: number[] = []
  for (const [i, member] of members.entries()) {
    const verdict = await member.prepare(change, text)
    if (typeof verdict === 'object') return described(member, verdict.problem)
    if (verdict === 'prepared') return prepareRest(members.slice(i + 1), change, text)
    if (victims.push(member.number) === VICTIMS) break
  }
  const which = victims.length === 1 ? `Worker ${victims[0]}` : `Workers ${victims.join(' and ')}`
  return `${which} ended while building the new config: does a plugin end its process, or hang? The log says how.`
}

async function prepareRest(members: readonly Member[], change: number, text: string): Promise<string | undefined> {
  const verdicts = await Promise.all(members.map((member) => member.prepare(change, text)))
  for (const [i, verdict] of verdicts.entries()) {
    if (typeof verdict === 'object') return described(members[i] as Member, verdict.problem)
  }
  return undefined
}

const described = (member: Member, problem: string): string => `Worker ${member.number}: ${problem}`
