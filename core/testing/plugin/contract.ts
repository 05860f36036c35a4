/** Checks that apply to every plugin. */
import assert from 'node:assert/strict'
import { parseOptions } from '../../engine/config/validate.ts'
import type { PluginSpec } from '../../engine/contract/plugin.ts'
import { checkEventSpec } from '../../engine/events/payload.ts'
import { assertPluginSpec } from '../../engine/host/loader-contract.ts'

const UNKNOWN = 'no-such-option'

/**
 * Checks the plugin itself: its name, that its schema compiles, accepts its own defaults and refuses unknown options,
 * and that its flags and events are well-formed. Then checks the options of the case.
 */
export function checkContract(spec: PluginSpec, options: object): void {
  assertPluginSpec(spec)
  const { name, schema } = spec
  const given = parseOptions(schema, options, `${name}.options`).problems
  assert.deepEqual(given, [], `The options of the case do not fit the schema of '${name}'.`)
  const unknown = parseOptions(schema, { ...options, [UNKNOWN]: true }, 'options').problems
  assert.ok(
    unknown.length > 0,
    `The schema of '${name}' takes unknown options. Set additionalProperties: false, so that a typing error is reported.`,
  )
  const own = parseOptions(schema, {}, `${name}.options`).problems.filter(({ message }) => !/^needs /.test(message))
  assert.deepEqual(own, [], `The schema of '${name}' does not accept its own defaults.`)
  checkFlags(spec)
  for (const [type, event] of Object.entries(spec.events ?? {})) {
    assert.match(type, /^[a-z_]+\.[a-z_]+$/, `The event '${type}' of '${name}' must be named noun.verb.`)
    checkEventSpec(type, event)
  }
}

function checkFlags({ name, flags = {} }: PluginSpec): void {
  for (const flag of Object.keys(flags)) {
    assert.match(flag, /^[a-z][a-z0-9_]*$/, `The flag '${flag}' of '${name}' must be in snake_case.`)
  }
}
