import { GatewayError } from './errors.ts'
import type { Json } from './plugin.ts'

/** Maximum nesting; circular values exceed it. */
const DEEPEST = 64
const MOST_MEMBERS = 10_000
const MOST_CHARACTERS = 65_536

/** Why a value is refused; never contains the value. */
class NotJson extends Error {}

/**
 * Copies a value from a plugin. Reads each member once, during the plugin's own call, so that errors surface there.
 * Later, neither a getter nor a change by the plugin can affect the gateway. Omits undefined members, as JSON does.
 *
 * @param what names the value in the error: `extend('acme_score')`
 * @throws GatewayError GW_PLUGIN_CONTRACT for a circle, a function, a BigInt, a Date, a number that is not finite, a
 * getter that throws, and for what is too deep or too large
 */
export function plainJson<T = Json>(what: string, value: unknown): T {
  const copier = new Copier()
  try {
    return copier.copy(value, 0) as T
  } catch (error) {
    const why = error instanceof NotJson ? error.message : 'it cannot be read'
    throw new GatewayError('GW_PLUGIN_CONTRACT', `${what} is not JSON that can be kept: ${why}.`)
  }
}

class Copier {
  #members = 0
  #characters = 0

  copy(value: unknown, depth: number): Json {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number') {
      if (Number.isFinite(value)) return value
      throw new NotJson('it holds a number that is not finite')
    }
    if (typeof value !== 'object')
      throw new NotJson(value === undefined ? 'it is undefined' : `it holds a ${typeof value}`)
    if (depth === DEEPEST) throw new NotJson(`it is nested deeper than ${DEEPEST} levels, or holds itself`)
    return Array.isArray(value) ? this.#list(value, depth) : this.#map(value, depth)
  }

  #text(value: string): string {
    this.#characters += value.length
    if (this.#characters > MOST_CHARACTERS) throw new NotJson(`it has more than ${MOST_CHARACTERS} characters`)
    return value.isWellFormed() ? value : value.toWellFormed()
  }

  #list(value: readonly unknown[], depth: number): Json[] {
    const { length } = value
    this.#count(length)
    const copy: Json[] = []
    for (let i = 0; i < length; i++) {
      const member = value[i]
      copy.push(member === undefined ? null : this.copy(member, depth + 1))
    }
    return copy
  }

  #map(value: object, depth: number): { [key: string]: Json } {
    if (!isPlain(value)) throw new NotJson('it holds an object of a class, such as a Date or a Map')
    const names = Object.keys(value)
    this.#count(names.length)
    const copy: { [key: string]: Json } = {}
    for (const name of names) {
      const member = (value as Record<string, unknown>)[name]
      if (member === undefined) continue
      if (name === '__proto__') throw new NotJson('it has a member __proto__')
      copy[this.#text(name)] = this.copy(member, depth + 1)
    }
    return copy
  }

  #count(members: number): void {
    this.#members += members
    if (this.#members > MOST_MEMBERS) throw new NotJson(`it has more than ${MOST_MEMBERS} members`)
  }
}

/** Created by `{ … }` or by JSON.parse, in this realm or another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
