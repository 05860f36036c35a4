/** Applies a PUT to the settings: merges fields, replaces masks by kept secrets, compares targets. */
import { isDeepStrictEqual } from 'node:util'
import { formatPath } from '../../engine/config/paths.ts'
import { checkAgainst } from '../../engine/config/validate.ts'
import type { Json, SettingsProblem } from '../../engine/contract/plugin.ts'
import { type Declaration, READ_ONLY } from '../../engine/host/declaration.ts'
import { type Fields, type Place, placesOf, type SettingPath } from '../../engine/host/paths.ts'
import { isWord } from '../../engine/util/outside.ts'
import { didYouMean } from '../../engine/util/suggest.ts'
import { type Effective, type Lower, layered } from './layers.ts'
import { MASK } from './mask.ts'

export interface Merged {
  /** To be stored if there are no problems; excludes fields with problems. */
  readonly put: Fields
  readonly effective: Effective
  readonly problems: readonly SettingsProblem[]
}

/**
 * @param body the admin's request
 * @param put values PUT before
 * @param before the effective settings, with secrets
 */
export function mergePut(declaration: Declaration, body: Fields, put: Fields, before: Effective, lower: Lower): Merged {
  const problems: SettingsProblem[] = []
  const sent = cleaned(declaration, body, problems)
  // A body read by GET: unedited fields keep their source.
  const edited = body.sources !== undefined
  const fresh = new Set<string>()
  for (const path of maskable(declaration)) unmask(path, sent, before.values, fresh, problems)
  const next = structuredClone(put)
  for (const [field, value] of Object.entries(sent)) {
    if (value === null) reset(declaration, field, next, lower)
    else if (edited && before.sources[field] !== 'put' && isDeepStrictEqual(value, before.values[field])) continue
    else if (keepsOwn(declaration, field, value, fresh, before)) continue
    else {
      const one: Fields = { [field]: value }
      const { problems: wrong } = checkAgainst(declaration.schemaOf(field), one)
      problems.push(...wrong.map(({ path, message }) => ({ field: path, message })))
      if (wrong.length === 0) next[field] = one[field] as Json
    }
  }
  const effective = layered(declaration, next, lower)
  problems.push(...movedSecrets(declaration, effective.values, before.values, fresh))
  return { put: next, effective, problems }
}

/** Fields that GET may have masked. */
const maskable = ({ secrets, secretUrls }: Declaration): SettingPath[] => [...secrets, ...secretUrls]

/** Removes members that only answers have; unknown fields are problems. */
function cleaned(declaration: Declaration, body: Fields, problems: SettingsProblem[]): Fields {
  const { fields } = declaration
  const sent = structuredClone(body)
  for (const path of maskable(declaration))
    for (const { parent, key } of placesOf(path, sent)) delete parent[`${key}_set`]
  for (const name of Object.keys(sent)) {
    if (READ_ONLY.has(name)) delete sent[name]
    else if (!fields.includes(name)) {
      const hint = didYouMean(name, fields) || ` Known: ${fields.join(', ')}.`
      problems.push(
        isWord(name)
          ? { field: name, message: `is not a known field.${hint}` }
          : { field: '', message: `One of the fields is unknown.${hint}` },
      )
      delete sent[name]
    }
  }
  return sent
}

/** Replaces masks by the current secrets; other values are new. */
function unmask(
  path: SettingPath,
  sent: Fields,
  before: Fields,
  fresh: Set<string>,
  problems: SettingsProblem[],
): void {
  for (const { parent, key, at, value, before: kept } of placesOf(path, sent, before)) {
    if (value === MASK) {
      if (kept !== undefined && kept !== null) parent[key] = kept
      else {
        delete parent[key]
        problems.push({
          field: formatPath(at),
          message: 'is only the mask, and there is no value to keep: send the value',
        })
      }
    } else if (value === null && at.length > 1) delete parent[key]
    else if (value !== undefined && value !== null) fresh.add(formatPath(at))
  }
}

/** `null` resets a field to the next source. A secret with a lower source is cleared permanently instead. */
function reset({ secrets }: Declaration, field: string, next: Fields, { env, config }: Lower): void {
  const isSecret = secrets.some(({ text }) => text === field)
  if (isSecret && (env[field] !== undefined || config[field] !== undefined)) next[field] = null
  else delete next[field]
}

/** A masked secret from the environment or config stays there. */
const keepsOwn = (
  declaration: Declaration,
  field: string,
  value: Json,
  fresh: ReadonlySet<string>,
  before: Effective,
): boolean =>
  maskable(declaration).some(({ text }) => text === field) && !fresh.has(field) && value === before.values[field]

/** A kept secret must not go to a new target: if a target changes, its secrets must be in the same PUT. */
function movedSecrets(
  { secretsIn, targets }: Declaration,
  now: Fields,
  before: Fields,
  fresh: ReadonlySet<string>,
): SettingsProblem[] {
  const moved = new Map<string, string>()
  for (const { value, before: old, at, record } of targets.flatMap((path) => placesOf(path, now, before))) {
    if (value !== undefined && value !== null && placeOf(value) !== placeOf(old)) moved.set(record, formatPath(at))
  }
  const places = secretsIn(before).flatMap((path) => placesOf(path, now, before))
  return places.flatMap((place) => {
    const target = moved.get(place.record)
    const at = formatPath(place.at)
    if (target === undefined || target === at || !isKept(place) || fresh.has(at)) return []
    const message = `must be sent again, or null: ${target} leads to another receiver now`
    return [{ field: at, message }]
  })
}

const isKept = ({ value, before }: Place): boolean => value !== undefined && value !== null && before !== undefined

/** Scheme, host and port of a url; other values unchanged. */
function placeOf(value: Json | undefined): string {
  if (typeof value === 'string' && /^[a-z]+:\/\//i.test(value) && URL.canParse(value)) {
    const { protocol, host } = new URL(value)
    return `${protocol}//${host}`
  }
  return JSON.stringify(value ?? null)
}
