/** Chooses among upstreams that can answer. */
import type { Candidate, RoutePlan } from '../candidate.ts'

/** @param open at least one, of one priority */
export function choose(
  open: readonly Candidate[],
  { balance, sticky }: RoutePlan,
  session: string | undefined,
): Candidate {
  if (open.length === 1 || balance === 'order') return open[0] as Candidate
  if (sticky && session !== undefined) return bySession(open, session)
  return balance === 'weighted' ? byWeight(open) : ofTwo(open, balance === 'latency' ? byLatency : byBusy)
}

function byWeight(open: readonly Candidate[]): Candidate {
  let rest = Math.random() * open.reduce((sum, { weight }) => sum + weight, 0)
  for (const candidate of open) {
    rest -= candidate.weight
    if (rest < 0) return candidate
  }
  return open[0] as Candidate
}

/**
 * Of two by chance, the one that costs less. Comparing all would send every request of a moment to the same one
 * (https://www.eecs.harvard.edu/~michaelm/postscripts/handbook2001.pdf).
 */
function ofTwo(open: readonly Candidate[], costOf: (candidate: Candidate) => number): Candidate {
  const first = Math.floor(Math.random() * open.length)
  const second = (first + 1 + Math.floor(Math.random() * (open.length - 1))) % open.length
  const [a, b] = [open[first] as Candidate, open[second] as Candidate]
  return costOf(b) < costOf(a) ? b : a
}

const byBusy = ({ load, weight }: Candidate): number => (load.busy + 1) / weight
const byLatency = ({ load, weight }: Candidate): number => load.cost / weight

/**
 * Rendezvous hashing by weight: when an upstream leaves, only its own sessions move, and they come back with it. All
 * processes choose the same (https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf).
 */
function bySession(open: readonly Candidate[], session: string): Candidate {
  let best = open[0] as Candidate
  let highest = -1
  for (const candidate of open) {
    const score = -candidate.weight / Math.log(hashShare(`${candidate.upstream.name}\0${session}`))
    if (score <= highest) continue
    best = candidate
    highest = score
  }
  return best
}

/** A number above 0 and below 1: FNV-1a, then the finalizer of MurmurHash3, which spreads similar texts. */
function hashShare(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32
}
