import { compileSchema } from '../config/validate.ts'
import type { Instance, OpenRoute, Route } from '../contract/plugin.ts'
import type { PrincipalSource } from '../contract/principal.ts'
import { isObject } from '../util/is-object.ts'
import { callable, checkNames, checkShape, oneOf, type Shape } from '../util/shape.ts'
import { suggest } from '../util/suggest.ts'
import { adopt, isThenable } from '../util/thenable.ts'

const CALLED = ['detect', 'memoKey', 'apply', 'onTap', 'onAttempt', 'onUnauthorized', 'start', 'drain', 'stop'] as const
const KNOWN: readonly string[] = [...CALLED, 'detects', 'pure', 'routes', 'principals']
const DETECTS: readonly unknown[] = ['input', 'output', 'both']

const ROUTE: Shape = {
  required: {
    method: oneOf('GET', 'PUT', 'POST', 'PATCH', 'DELETE'),
    path: [
      (value) => typeof value === 'string' && /^\/[^\s?#*]*$/.test(value),
      'must be an exact path, such as /api/budgets',
    ],
    auth: oneOf('admin', 'user', 'none'),
    handle: callable,
  },
  optional: {
    body: [isObject, 'must be a JSON Schema, an object'],
    token: [(value) => typeof value === 'string' && value !== '', 'must be a string that is not empty'],
  },
}

/**
 * Validates the result of `create`, reading each member once. Throws an error for the first mistyped or unknown member:
 * a misspelt `detect` would let everything pass, and a misspelt `auth` would open a route to everybody.
 */
export function readInstance(value: unknown): Instance {
  refusePromise('create', 'The work belongs in `start`.', value)
  if (!isObject(value)) throw new Error('`create` must return an object, at least {}')
  checkMembers(value)
  const instance: Record<string, unknown> = {}
  for (const name of CALLED) {
    const member = value[name]
    if (member === undefined) continue
    if (typeof member !== 'function') throw new Error(`\`${name}\` must be a function`)
    instance[name] = member.bind(value)
  }
  const { routes, pure, detects, principals } = value
  if (pure !== undefined && pure !== true) throw new Error('`pure` must be true, or left out')
  if (pure === true) instance.pure = true
  if ((pure === true || instance.memoKey !== undefined) && instance.detect === undefined) {
    throw new Error('`pure` and `memoKey` say what `detect` depends on, and there is none')
  }
  if (detects !== undefined) {
    if (!DETECTS.includes(detects)) throw new Error("`detects` must be 'input', 'output' or 'both'")
    if (instance.detect === undefined) throw new Error('`detects` says what `detect` is called for, and there is none')
    instance.detects = detects
  }
  if (routes !== undefined) instance.routes = readRoutes(routes)
  if (principals !== undefined) instance.principals = readSource(principals)
  return instance as Instance
}

/** Creation and registration are synchronous, so a promise would be ignored. */
export function refusePromise(what: string, remedy: string, value: unknown): void {
  if (!isThenable(value)) return
  adopt(value).catch(() => {})
  throw new Error(`\`${what}\` returned a promise, and must not be async. ${remedy}`)
}

function checkMembers(value: Record<string, unknown>): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || Object.getPrototypeOf(prototype) === null) {
    return checkNames('', Object.keys(value), KNOWN)
  }
  // Class instances have other members, too; a near match of a method name is a typo.
  const missing = KNOWN.filter((name) => value[name] === undefined)
  checkNames(
    '',
    methodsOf(value).filter((name) => !KNOWN.includes(name) && suggest(name, missing) !== undefined),
    missing,
  )
}

function methodsOf(value: object): string[] {
  const names = new Set<string>()
  for (let at: object = value; Object.getPrototypeOf(at) !== null; at = Object.getPrototypeOf(at) as object) {
    for (const [name, { value: member }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof member === 'function' && name !== 'constructor') names.add(name)
    }
  }
  return [...names]
}

function readRoutes(routes: unknown): readonly (Route | OpenRoute)[] {
  if (!Array.isArray(routes)) throw new Error('`routes` must be an array')
  return routes.map((route: unknown, i): Route | OpenRoute => {
    const what = `routes[${i}]`
    if (!isObject(route)) throw new Error(`\`${what}\` must be an object`)
    const copy: unknown = { ...route }
    checkShape(what, copy, ROUTE)
    const { auth, method, body, token } = copy
    if (auth === 'none' && (method !== 'GET' || body !== undefined)) {
      throw new Error(`\`${what}\` is open to all, so it must be a GET without a body`)
    }
    if (auth !== 'none' && token !== undefined) throw new Error(`\`${what}.token\` needs \`auth: 'none'\``)
    if (body !== undefined) compileBody(what, body)
    return { ...(copy as unknown as Route), handle: (copy.handle as Route['handle']).bind(route) }
  })
}

const SOURCE: Shape = { optional: { identify: callable, credentialOf: callable } }

function readSource(source: unknown): PrincipalSource {
  checkShape('principals', source, SOURCE)
  const { identify, credentialOf } = source as PrincipalSource
  return {
    ...(identify !== undefined && { identify: identify.bind(source) }),
    ...(credentialOf !== undefined && { credentialOf: credentialOf.bind(source) }),
  }
}

function compileBody(what: string, schema: unknown): void {
  try {
    compileSchema(schema as never)
  } catch (error) {
    throw new Error(`\`${what}.body\`: ${(error as Error).message}`)
  }
}
