import { createHash } from 'node:crypto'
import { isLevel, type Options, type Principal } from 'governed-gateway'
import { isTeam } from 'governed-gateway/kit'
import type { schema } from './schema.ts'

export type IssuerOptions = Options<typeof schema>['issuers'][number]
type Claims = Readonly<Record<string, unknown>>

/** The caller of a verified token; undefined if it does not name one. */
export function principalOf(claims: Claims, options: IssuerOptions): Principal | undefined {
  const { id_claim, id_prefix, team_claim, models_claim, models, label_claim, max_classification, admin } = options
  const id = at(claims, id_claim)
  if (typeof id !== 'string' || id === '') return undefined
  const team = team_claim === undefined ? undefined : at(claims, team_claim)
  if (team !== undefined && !isTeam(team)) return undefined
  const label = label_claim === undefined ? max_classification : (at(claims, label_claim) ?? 'PUBLIC')
  if (label !== undefined && !isLevel(label)) return undefined
  return {
    keyId: `${id_prefix}:${nameOf(id)}`,
    admin: admin !== undefined && listOf(at(claims, admin.claim)).includes(admin.value),
    models: models_claim === undefined ? models : listOf(at(claims, models_claim)),
    flags: {},
    flagsAllow: [],
    ...(team !== undefined && { team }),
    ...(label !== undefined && { maxClassification: label }),
  }
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

function listOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter((one) => one !== '')
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** A name for logs and events. Two ids never share one: a hash cannot be mistaken for a short id. */
const nameOf = (id: string): string =>
  /^[A-Za-z0-9._@-]{1,40}$/.test(id) ? id : createHash('sha256').update(id).digest('base64url')
