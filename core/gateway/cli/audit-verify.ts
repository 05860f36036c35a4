import { type Anchor, isPublicKey } from '../../services/audit/anchor.ts'
import type { Problem } from '../../services/audit/chain.ts'
import { rawTrail } from '../../services/audit/reader.ts'
import { type TrailLine, type Verdict, type VerifyOptions, verifyTrail } from '../../services/audit/verify.ts'
import {
  anchorFileOf,
  anchorsIn,
  configOf,
  fileLines,
  type OpenedTrail,
  openTrail,
  placeIn,
  SOURCE_OPTIONS,
  signerOf,
} from './audit-source.ts'
import { type Command, type Io, UsageError, type Values } from './command.ts'

/** Exit code: something was altered, removed, reordered or inserted. */
export const TAMPERED = 4

/** Exit code: nothing to verify. */
const NOTHING = 1

/** Number of problems to list. */
const SHOWN = 50

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Verify that an audit trail is intact',
  operands: '[FILE…]',
  maxOperands: 10_000,
  options: {
    ...SOURCE_OPTIONS,
    anchors: {
      type: 'string',
      value: 'FILE',
      description: 'Anchors, or events with anchors, kept elsewhere',
    },
    key: { type: 'string', value: 'KEY', description: 'Public key that must have signed the anchors; see `audit key`' },
  },
  details: `Checks the hash chain of every instance and the signatures of the anchors, and names each
record that was altered, removed, reordered or inserted. FILE: JSON lines as audit-file
and \`audit export\` write them, rotated ones in the order of their names; - reads
standard input. Without FILE: the store of --store or --config, which may be in use.
Only anchors reveal a trail that was truncated or rewritten as a whole: compare with
those that a receiver got. Exit code 0 if the trail is intact, 4 if it is not, 1 if
there is nothing to check.`,
  async run({ values, positionals, io }) {
    const key = keyOf(values)
    const kept = typeof values.anchors === 'string' ? anchorsIn(values.anchors, true) : []
    if (positionals.length === 0) return verifyStore(values, key, kept, io)
    if (values.store !== undefined) throw new UsageError('name the trail by FILE or by --store, not by both.')
    const starts: number[] = []
    const files = positionals.join(', ')
    const verdict = await verifyTrail(fileLines(positionals, starts), { key, anchors: kept })
    if (verdict.chains.length === 0 && verdict.problems.every(({ kind }) => kind === 'unreadable')) {
      return nothing(io, files)
    }
    return report(verdict, io, key, files, (line) => placeIn(positionals, starts, line))
  },
}

function keyOf(values: Values): string | undefined {
  if (typeof values.key === 'string') {
    if (isPublicKey(values.key)) return values.key
    throw new UsageError('--key: expected `ed25519:` and 43 characters, as `governed-gateway audit key` prints.')
  }
  return typeof values.config === 'string' ? signerOf(configOf(values)).publicKey : undefined
}

async function verifyStore(values: Values, key: string | undefined, kept: readonly Anchor[], io: Io): Promise<number> {
  const trail = await openTrail(values)
  try {
    const beside = anchorFileOf(trail.name)
    const anchors = [...kept, ...(beside === undefined ? [] : anchorsIn(beside, false))]
    const options: VerifyOptions = { key, anchors, store: trail.embedded }
    const places: string[] = []
    const verdict = await verifyTrail(storeLines(trail, places), options)
    return report(verdict, io, key, trail.name, (line) => places[line - 1] ?? '?')
  } finally {
    await trail.close()
  }
}

async function* storeLines({ reader }: OpenedTrail, places: string[]): AsyncGenerator<TrailLine, void> {
  for await (const { text, cursor } of rawTrail(reader)) {
    places.push(cursor)
    yield { text, line: places.length }
  }
}

function nothing(io: Io, source: string): number {
  io.stderr.write(`nothing to check: there is no record in ${source}\n`)
  return NOTHING
}

function report(
  { chains, problems, anchors }: Verdict,
  io: Io,
  key: string | undefined,
  source: string,
  place: (line: number) => string,
): number {
  if (chains.length + problems.length === 0) {
    return nothing(io, source)
  }
  for (const { instance, records, first, last, repeated } of chains) {
    const twice = repeated === 0 ? '' : `, ${repeated} of them repeated`
    io.stdout.write(`${instance}: ${records} records, ${first} to ${last}${twice}\n`)
  }
  if (chains.length === 0) io.stdout.write('no records\n')
  io.stdout.write(`${anchorLine(anchors, key)}\n`)
  for (const problem of problems.slice(0, SHOWN)) io.stdout.write(`${describe(problem, place)}\n`)
  if (problems.length > SHOWN) io.stdout.write(`… and ${problems.length - SHOWN} more\n`)
  io.stdout.write(problems.length === 0 ? 'ok: the trail is whole\n' : `TAMPERED: ${count(problems.length)}\n`)
  return problems.length === 0 ? 0 : TAMPERED
}

const count = (problems: number): string => (problems === 1 ? '1 problem' : `${problems} problems`)

/** Places of problems without a line. */
const PLACES: Partial<Record<Problem['kind'], string>> = { cut: 'at the end', forged: 'in the anchors' }

function describe({ kind, instance, seq, last, line, detail }: Problem, place: (line: number) => string): string {
  const records = last === undefined || last === seq ? `record ${seq}` : `records ${seq} to ${last}`
  const where = line === undefined ? (PLACES[kind] ?? 'in the store') : place(line)
  return instance === '' ? `${where}: ${kind}: ${detail}` : `${where}: ${kind}: ${instance}, ${records}: ${detail}`
}

function anchorLine({ good, newest, before }: Verdict['anchors'], key: string | undefined): string {
  if (newest === undefined) return 'anchors: none; a trail that was cut or rewritten as a whole would not show'
  const older = before === 0 ? '' : `, ${before} older than the trail`
  const signer =
    key === undefined ? `signed with ${newest.key} (compare it with yours, or give --key)` : 'signed with the key'
  return `anchors: ${good} good${older}; the newest is of record ${newest.seq}, ${newest.time}; ${signer}`
}
