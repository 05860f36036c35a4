import { createHash } from 'node:crypto'
import { isLevel, type Options, type Principal } from 'governed-gateway'
import { isTeam } from 'governed-gateway/kit'
import type { schema } from './schema.ts'

export type IssuerOptions = Options<typeof schema>['issuers'][number]
type Claims = Readonly<Record<string, unknown>>

/** The caller of a verified token, or why it is none. The text has no value of a claim. */
export function principalOf(claims: Claims, options: IssuerOptions): Principal | string {
  const { id_claim, id_prefix, models_claim, models, label_claim, max_classification, admin } = options
  const id = at(claims, id_claim)
  if (typeof id !== 'string' || id === '') return `its claim '${id_claim}' is not a text that names the caller`
  const found = teamOf(claims, options)
  if (typeof found === 'string') return found
  const { team } = found
  const label = label_claim === undefined ? max_classification : (at(claims, label_claim) ?? 'PUBLIC')
  if (label !== undefined && !isLevel(label)) return `its claim '${label_claim}' is no label`
  return {
    keyId: `${id_prefix}:${nameOf(id)}`,
    admin: admin !== undefined && has(at(claims, admin.claim), admin),
    models: models_claim === undefined ? models : listOf(at(claims, models_claim)),
    flags: {},
    flagsAllow: [],
    ...(team !== undefined && { team }),
    ...(label !== undefined && { maxClassification: label }),
  }
}

/** Texts that look alike, such as ä in one character and in two, are one name. */
const plain = (name: string): string => name.normalize('NFC')

/** The team, or why there is none. The order of the list in the token means nothing. */
function teamOf(claims: Claims, { team_claim: claim, teams }: IssuerOptions): { team: string | undefined } | string {
  if (claim === undefined) return { team: undefined }
  const value = at(claims, claim)
  const given = Array.isArray(value) ? value : value === undefined ? [] : [value]
  if (!given.every((one) => typeof one === 'string'))
    return `its claim '${claim}' is neither a text nor a list of texts`
  const names = new Set(given.map(plain))
  if (teams !== undefined) {
    const entry = teams.find((one) => one.value === undefined || names.has(plain(one.value)))
    return entry ?? `its claim '${claim}' has none of the values that 'teams' lists`
  }
  if (names.size > 1) return `its claim '${claim}' has ${names.size} values; 'teams' must say which of them counts`
  const [name] = names
  if (name !== undefined && !isTeam(name)) return `its claim '${claim}' is no name of a team; 'teams' can give it one`
  return { team: name }
}

/** The claim of that name, or the member that its dots lead to. */
function at(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}

/** Scopes are separated by blanks (RFC 8693, section 4.2); other texts are one value, whoever may write them. */
const SCOPES = /(?:^|\.)(?:scope|scp)$/

function has(value: unknown, { claim, value: wanted }: { claim: string; value: string }): boolean {
  if (typeof value === 'string' && !SCOPES.test(claim)) return value === wanted
  return listOf(value).includes(wanted)
}

function listOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter((one) => one !== '')
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** A name for logs and events. Two ids never share one: a hash cannot be mistaken for a short id. */
const nameOf = (id: string): string =>
  /^[A-Za-z0-9._@-]{1,40}$/.test(id) ? id : createHash('sha256').update(id).digest('base64url')
