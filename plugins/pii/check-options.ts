import { GatewayError } from 'governed-gateway'
import { type Options, REGIONS, TYPES } from './schema.ts'

/** Checks what a JSON schema cannot express: whether names exist. */
export function checkOptions(options: Options): void {
  const own = [...options.patterns, ...options.words].map(({ type }) => type)
  const types = new Set([...TYPES, ...own])
  for (const type of Object.keys(options.types)) {
    if (!types.has(type)) fail(`types.${type}`, 'there is no such type', [...types])
  }
  for (const [i, region] of (options.locales ?? []).entries()) {
    if (!REGIONS.includes(region)) fail(`locales[${i}]`, `${region} has no detectors of its own`, REGIONS)
  }
  const taken = own.find((type) => TYPES.includes(type))
  if (taken !== undefined) {
    throw new GatewayError(
      'GW_CONFIG',
      `pii: the type '${taken}' of your patterns or words is built in; choose another name.`,
    )
  }
}

function fail(path: string, problem: string, known: readonly string[]): never {
  throw new GatewayError('GW_CONFIG', `pii: options.${path}: ${problem}. Known: ${[...known].sort().join(', ')}.`)
}
