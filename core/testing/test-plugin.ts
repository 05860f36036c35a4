/** Runs a plugin in a real gateway against a scripted provider: buffered, streamed with every cut, and aborted. */
import assert from 'node:assert/strict'
import type { PluginSpec } from '../engine/contract/plugin.ts'
import { checkNames } from '../engine/util/shape.ts'
import { checkContract } from './plugin/contract.ts'
import { checkInvariants, checkResult, checkSame, EXPECTED, type Expectation } from './plugin/expect.ts'
import { checkRemembered, watch } from './plugin/remembered.ts'
import {
  type AnyPlugin,
  type PluginResult,
  type PluginRig,
  type PluginSetup,
  SETUP,
  startPlugin,
  type TestRequest,
} from './plugin/rig.ts'
import { type Variant, type VariantName, variantsOf } from './plugin/variants.ts'
import type { Described, Script } from './provider.ts'

export type { AssembledChoice } from './plugin/client.ts'
export type { Expectation } from './plugin/expect.ts'
export {
  type AnyPlugin,
  type Beside,
  type PluginResult,
  type PluginRig,
  type PluginSetup,
  type SendOptions,
  startPlugin,
  type TestRequest,
} from './plugin/rig.ts'
export type { VariantName } from './plugin/variants.ts'

/** One exchange with the plugin, and its expected result. */
export interface PluginCase extends PluginSetup {
  /** Shown in failures. */
  readonly name?: string
  /** A user message, or members of the body. Default `Hello`. */
  readonly request?: TestRequest
  readonly headers?: Readonly<Record<string, string>>
  /** The model's answer. Default `Hello from the provider`, which is cut after each word, and into pieces of up to 16 bytes. */
  readonly reply?: Described | Script
  /** Default all four: `buffered`, `streamed` (cut at every character), `bytes` (cut at every byte) and `aborted`. */
  readonly variants?: readonly VariantName[]
  /** All variants but `aborted` must agree on text, detections, error and outcome. Default true. */
  readonly assertSame?: boolean
  /** Checked for every variant but `aborted`. */
  readonly expect?: Expectation
  /** Further checks, called for every variant but `aborted`. */
  readonly check?: (result: PluginResult, variant: VariantName) => void
}

/** The results of one case; undefined or empty for variants that did not run. */
export interface PluginRun {
  readonly buffered: PluginResult
  /** One per position where the reply was cut. */
  readonly streamed: readonly PluginResult[]
  readonly bytes: PluginResult
  readonly aborted: PluginResult
}

const CASE: readonly (keyof PluginCase)[] = [
  ...(['name', 'request', 'headers', 'reply', 'variants', 'assertSame', 'expect', 'check'] as const),
]
const ALL: readonly VariantName[] = ['buffered', 'streamed', 'bytes', 'aborted']

/**
 * Checks a plugin and runs one exchange in every form: JSON, streamed with the reply cut at every character, streamed
 * byte by byte, and with a client that leaves midway. Each run has its own gateway, unless the plugin declares `pure` or
 * `memoKey`. Always checks that the schema
 * compiles, fills in defaults and refuses unknown options; that all forms of the reply agree; that each exchange ends
 * in one terminal event; and that a client that leaves stops the provider and received only text of the whole reply.
 *
 * @example
 * await testPlugin(noSwearing, {
 *   reply: 'Well, damn it',
 *   expect: { text: 'Well, [SWEARING] it', detections: { swearing: 1 } },
 * })
 */
export async function testPlugin(plugin: AnyPlugin, testCase: PluginCase = {}): Promise<PluginRun> {
  checkContract(plugin as unknown as PluginSpec, testCase.options ?? {})
  const { name: _name, request = 'Hello', headers = {}, reply, variants = ALL, ...others } = testCase
  const { assertSame: _assertSame, expect = {}, check: _check, ...setup } = others
  checkNames('case', Object.keys(setup), [...SETUP, ...CASE])
  checkNames('expect', Object.keys(expect), EXPECTED)
  const unknown = variants.filter((variant) => !ALL.includes(variant))
  assert.deepEqual(unknown, [], `The variants are ${ALL.join(', ')}.`)
  const results = new Map<Variant, PluginResult>()
  const { watched, isPure } = watch(plugin)
  let shared: PluginRig | undefined
  try {
    for (const variant of variantsOf({ request, headers, reply }, variants)) {
      // A script has its client leave at the next request, which must be the first.
      const isAlone = variant.kind === 'aborted' && typeof reply === 'function'
      const rig = (!isAlone && shared) || (await startPlugin(watched, setup))
      // What finds the same in the same text has no state to carry over.
      if (!isAlone && isPure() && testCase.with === undefined) shared = rig
      try {
        results.set(variant, await variant.run(rig))
      } finally {
        if (rig !== shared) await rig.close()
      }
    }
  } finally {
    await shared?.close()
  }
  judge(plugin.name, testCase, results)
  if (isPure()) {
    for (const variant of variantsOf({ request, headers, reply }, ['buffered'])) {
      await checkRemembered(plugin, setup, variant)
    }
  }
  const of = (kind: VariantName) => [...results].filter(([variant]) => variant.kind === kind).map(([, one]) => one)
  return {
    buffered: of('buffered')[0] as PluginResult,
    streamed: of('streamed'),
    bytes: of('bytes')[0] as PluginResult,
    aborted: of('aborted')[0] as PluginResult,
  }
}

function judge(plugin: string, testCase: PluginCase, results: ReadonlyMap<Variant, PluginResult>): void {
  const { name = plugin, expect = {}, check, assertSame = true } = testCase
  const whole = [...results].filter(([{ kind }]) => kind !== 'aborted')
  const [, first] = whole[0] ?? []
  for (const [variant, result] of results) {
    const title = `${name}, ${variant.name}`
    checkInvariants(title, result, first)
    if (variant.kind === 'aborted') continue
    checkResult(title, result, expect)
    check?.(result, variant.kind)
    if (assertSame && first !== undefined) checkSame(title, result, first)
  }
}
