import type { JsonObject } from '../store/store.ts'
import { type Anchor, anchorIn, isGenuine } from './anchor.ts'
import { type ChainSummary, type Problem, TrailVerifier } from './chain.ts'
import type { StoredHead } from './embedded-trail.ts'

export interface VerifyOptions {
  /** Anchors that were kept elsewhere. */
  readonly anchors?: readonly Anchor[]
  /** The public key that anchors must be signed with; default: whatever each of them names. */
  readonly key?: string | undefined
  /** What the store believes the end of the trail to be. */
  readonly head?: StoredHead | undefined
}

export interface Verdict {
  readonly chains: readonly ChainSummary[]
  readonly problems: readonly Problem[]
  readonly anchors: {
    /** Those that are genuine and that the trail leads to. */
    readonly good: number
    readonly newest: Anchor | undefined
    /** Those for records in front of the trail's first. */
    readonly before: number
  }
}

export interface TrailLine {
  readonly text: string
  readonly line: number
}

/** Checks chains and anchors of a trail. */
export async function verifyTrail(
  lines: AsyncIterable<TrailLine>,
  { anchors = [], key, head }: VerifyOptions = {},
): Promise<Verdict> {
  const verifier = new TrailVerifier()
  const checks = new AnchorChecks(verifier, key)
  for (const anchor of anchors) checks.expect(anchor)
  for await (const { text, line } of lines) {
    const record = verifier.add(text, line)
    if (record !== undefined) checks.pass(record, line)
  }
  const { chains, problems } = verifier.end()
  checks.end(chains)
  return { chains, problems: [...problems, ...checks.problems, ...endOf(chains, head)], anchors: checks }
}

/** The store's own idea of its end: whoever only deletes rows does not think of it. */
function endOf(chains: readonly ChainSummary[], head: StoredHead | undefined): Problem[] {
  if (head === undefined || head.seq === 0) return []
  const chain = chains.find(({ instance }) => instance === head.instance)
  if (chain !== undefined && chain.last >= head.seq) return []
  // All may have been trimmed by the retention, but never the newest alone.
  if (chain === undefined) return []
  const detail = `the store wrote records up to ${head.seq}`
  return [{ kind: 'cut', instance: head.instance, seq: chain.last + 1, last: head.seq, line: undefined, detail }]
}

class AnchorChecks {
  readonly problems: Problem[] = []
  good = 0
  before = 0
  newest: Anchor | undefined
  readonly #verifier: TrailVerifier
  readonly #key: string | undefined
  readonly #expected = new Map<string, Anchor>()
  readonly #seen = new Set<string>()

  constructor(verifier: TrailVerifier, key: string | undefined) {
    this.#verifier = verifier
    this.#key = key
  }

  expect(anchor: Anchor): void {
    if (this.#isGenuine(anchor, undefined)) this.#expected.set(idOf(anchor), anchor)
  }

  /** A record of the trail, which may carry an anchor of one before it. */
  pass(record: JsonObject, line: number): void {
    const id = `${record.instance}/${record.seq}`
    const expected = this.#expected.get(id)
    if (expected !== undefined) {
      this.#expected.delete(id)
      this.#compare(expected, record.hash as string, line)
    }
    if (record.type !== 'audit.anchor') return
    const anchor = anchorIn(record)
    if (anchor === undefined || !this.#isGenuine(anchor, line)) return
    const known = this.#verifier.hashOf(anchor.instance, anchor.seq)
    if (known !== undefined) this.#compare(anchor, known, line)
  }

  end(chains: readonly ChainSummary[]): void {
    for (const anchor of this.#expected.values()) {
      const { instance, seq } = anchor
      const chain = chains.find((one) => one.instance === instance)
      if (chain !== undefined && seq < chain.first) this.before++
      else if (chain === undefined || seq > chain.last) {
        const detail = `record ${seq} was anchored at ${anchor.time}`
        const first = (chain?.last ?? 0) + 1
        this.problems.push({ kind: 'cut', instance, seq: first, last: seq, line: undefined, detail })
      }
    }
  }

  #compare(anchor: Anchor, hash: string, line: number): void {
    const { instance, seq, time } = anchor
    if (hash !== anchor.hash) {
      const detail = `it is not the record that was anchored at ${time}: the trail was rewritten`
      this.problems.push({ kind: 'altered', instance, seq, line, detail })
      return
    }
    if (this.#seen.has(idOf(anchor))) return
    this.#seen.add(idOf(anchor))
    this.good++
    if (this.newest === undefined || time > this.newest.time) this.newest = anchor
  }

  #isGenuine(anchor: Anchor, line: number | undefined): boolean {
    if (isGenuine(anchor, this.#key)) return true
    const other = this.#key !== undefined && anchor.key !== this.#key
    const detail = other ? 'the anchor is signed with another key' : 'the signature of the anchor is wrong'
    this.problems.push({ kind: 'forged', instance: anchor.instance, seq: anchor.seq, line, detail })
    return false
  }
}

const idOf = ({ instance, seq }: Anchor): string => `${instance}/${seq}`
