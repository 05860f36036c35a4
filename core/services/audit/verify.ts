import type { JsonObject } from '../../engine/contract/store.ts'
import { type Anchor, anchorIn, isGenuine } from './anchor.ts'
import { type ChainSummary, type Problem, TrailVerifier } from './chain.ts'
import type { EmbeddedTrail } from './embedded-trail.ts'

export interface VerifyOptions {
  /** Anchors from another place. */
  readonly anchors?: readonly Anchor[]
  /** Required public key of anchors; default: the key that each anchor names. */
  readonly key?: string | undefined
  /** The store that the lines come from, written by one instance. Its metadata is read before and after. */
  readonly store?: Pick<EmbeddedTrail, 'instance' | 'head'> | undefined
}

export interface Verdict {
  readonly chains: readonly ChainSummary[]
  readonly problems: readonly Problem[]
  readonly anchors: {
    /** Genuine anchors that match the trail. */
    readonly good: number
    readonly newest: Anchor | undefined
    /** Anchors of records before the trail's first. */
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
  { anchors = [], key, store }: VerifyOptions = {},
): Promise<Verdict> {
  const verifier = new TrailVerifier(store?.instance)
  const checks = new AnchorChecks(verifier, key)
  for (const anchor of anchors) checks.expect(anchor)
  // Records appended from here on follow.
  const before = store?.head()
  for await (const { text, line } of lines) {
    const record = verifier.add(text, line)
    if (record !== undefined) checks.pass(record, line)
  }
  const { chains, problems } = verifier.end()
  checks.end(chains)
  const held = store === undefined ? [] : heldOf(chains, store, before, store.head())
  return { chains, problems: [...problems, ...checks.problems, ...held], anchors: checks }
}

/** Compares the trail with the store's metadata, which a plain deletion of rows leaves unchanged. */
function heldOf(
  chains: readonly ChainSummary[],
  { instance }: Pick<EmbeddedTrail, 'instance'>,
  before: ReturnType<EmbeddedTrail['head']>,
  after: ReturnType<EmbeddedTrail['head']>,
): Problem[] {
  const chain = chains.find((one) => one.instance === instance)
  const problem = { instance, line: undefined }
  if (after === undefined || after === 'damaged') {
    if (after === undefined && chain === undefined) return []
    const detail = `the store ${after === undefined ? 'does not know' : 'cannot read'} where its trail stands`
    return [{ ...problem, kind: after === undefined ? 'removed' : 'altered', seq: chain?.last ?? 0, detail }]
  }
  if (after.seq === 0) return []
  if (chain === undefined) {
    if (after.records === 0) return []
    const detail = `the store counts ${after.records} records and holds none`
    return [{ ...problem, kind: 'removed', seq: after.seq - after.records + 1, last: after.seq, detail }]
  }
  const problems: Problem[] = []
  // Retention may have advanced meanwhile, so use its current position.
  const first = after.seq - after.records + 1
  if (chain.first > first) {
    const detail = `the store counts records from ${first} on`
    problems.push({ ...problem, kind: 'removed', seq: first, last: chain.first - 1, detail })
  }
  const written = typeof before === 'object' ? before.seq : 0
  if (chain.last < written) {
    const detail = `the store wrote records up to ${written}`
    problems.push({ ...problem, kind: 'cut', seq: chain.last + 1, last: written, detail })
  }
  return problems
}

class AnchorChecks {
  readonly problems: Problem[] = []
  good = 0
  before = 0
  newest: Anchor | undefined
  readonly #verifier: TrailVerifier
  readonly #key: string | undefined
  /** Anchors by record. A forger adds anchors, so all anchors of a record must match. */
  readonly #expected = new Map<string, Anchor[]>()
  readonly #seen = new Set<string>()
  /** Signing keys of genuine anchors. */
  readonly #keys = new Set<string>()

  constructor(verifier: TrailVerifier, key: string | undefined) {
    this.#verifier = verifier
    this.#key = key
  }

  expect(anchor: Anchor): void {
    if (!this.#isGenuine(anchor, undefined)) return
    const id = idOf(anchor)
    const known = this.#expected.get(id)
    if (known === undefined) this.#expected.set(id, [anchor])
    else if (known.every(({ hash }) => hash !== anchor.hash)) known.push(anchor)
  }

  /** Checks a record, which may carry an anchor of an earlier record. */
  pass(record: JsonObject, line: number): void {
    const id = `${record.instance}/${record.seq}`
    for (const expected of this.#expected.get(id) ?? []) this.#compare(expected, record.hash as string, line)
    this.#expected.delete(id)
    if (record.type !== 'audit.anchor') return
    const anchor = anchorIn(record)
    if (anchor === undefined || !this.#isGenuine(anchor, line)) return
    const known = this.#verifier.hashOf(anchor.instance, anchor.seq)
    if (known !== undefined) this.#compare(anchor, known, line)
  }

  end(chains: readonly ChainSummary[]): void {
    for (const anchor of [...this.#expected.values()].flat()) {
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
    const { instance, seq, key } = anchor
    const forged = (detail: string) => this.problems.push({ kind: 'forged', instance, seq, line, detail })
    if (isGenuine(anchor, this.#key)) {
      if (this.#keys.size > 0 && !this.#keys.has(key)) {
        forged(`the anchor is signed with ${key}, others with ${[...this.#keys][0]}: say by --key which is yours`)
      }
      this.#keys.add(key)
      return true
    }
    const other = this.#key !== undefined && key !== this.#key
    // Where all anchors are, it is more likely the one who verifies that has another secret.
    const signed = `the anchor is signed with another key (${key}, not ${this.#key}: the secret of this shell or config may differ)`
    forged(other ? signed : 'the signature of the anchor is wrong')
    return false
  }
}

const idOf = ({ instance, seq }: Anchor): string => `${instance}/${seq}`
