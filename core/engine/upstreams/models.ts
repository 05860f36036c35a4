import { mayUse, type Principal } from '../access/keyring.ts'
import type { Json, Log } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'
import { mayBeSecret, withoutDate } from '../util/outside.ts'
import type { Upstream } from './http-upstream.ts'
import { kindOf } from './kinds.ts'
import type { Routes } from './model-routes.ts'
import type { Sink } from './source.ts'

/** How long a provider's list is cached, and how long a request for it may take, milliseconds. */
const FRESH_MS = 60_000
const TIMEOUT_MS = 5_000
const MAX_BYTES = 4 * 1024 * 1024

/** One model, after https://platform.openai.com/docs/api-reference/models/object */
export interface Model {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  /** The APIs by which it can be asked. */
  readonly shapes: readonly string[]
}

type Listed = Omit<Model, 'shapes'>

interface Listing {
  readonly models: readonly Listed[]
  readonly at: number
}

/** The models a caller can reach: the providers' lists, filtered by routes and key. */
export class Models {
  readonly #upstreams: readonly Upstream[]
  readonly #routes: Routes
  readonly #log: Log
  readonly #listings = new Map<Upstream, Promise<Listing>>()

  constructor(upstreams: readonly Upstream[], routes: Routes, log: Log) {
    this.#upstreams = upstreams
    this.#routes = routes
    this.#log = log
  }

  async list(principal: Principal): Promise<Model[]> {
    const listings = await Promise.all(this.#upstreams.map((upstream) => this.#listing(upstream)))
    const found = new Map<string, Model>()
    for (const [i, { models }] of listings.entries()) {
      for (const model of models) {
        if (
          !found.has(model.id) &&
          this.#routes.reaches(model.id, this.#upstreams[i] as Upstream) &&
          mayUse(principal, model.id)
        ) {
          found.set(model.id, { ...model, shapes: this.#routes.shapesFor(model.id) })
        }
      }
    }
    return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  #listing(upstream: Upstream): Promise<Listing> {
    const known = this.#listings.get(upstream)
    const fresh =
      known?.then((listing) => (Date.now() - listing.at < FRESH_MS ? listing : this.#fetch(upstream))) ??
      this.#fetch(upstream)
    this.#listings.set(upstream, fresh)
    return fresh
  }

  async #fetch(upstream: Upstream): Promise<Listing> {
    const { config, name } = upstream
    const path = kindOf(config).models
    const names = [...config.models, ...Object.keys(config.deployments ?? {}), ...this.#exactNames(upstream)]
    const fixed = names.map((id) => toModel(id, name, 0))
    if (path === undefined || config.models.length > 0) {
      return {
        models: config.kind === 'demo' && fixed.length === 0 ? [toModel('demo', name, 0)] : fixed,
        at: Date.now(),
      }
    }
    try {
      const listed = readList(await getJson(upstream, path), name)
      return { models: [...listed, ...fixed], at: Date.now() }
    } catch (error) {
      this.#log.warn({ upstream: name, err: error }, 'the provider did not list its models')
      return { models: fixed, at: Date.now() }
    }
  }

  /** Routes with an exact model name list it even if the provider does not. */
  #exactNames(upstream: Upstream): string[] {
    return this.#routes.patternsFor(upstream).filter((pattern) => !pattern.includes('*'))
  }
}

const toModel = (id: string, owner: string, created: number): Listed => ({
  id,
  object: 'model',
  created,
  owned_by: owner,
})

/** Plugins do not see the list, so copies only names that cannot hide a value, and times. */
function readList(body: Json, owner: string): Listed[] {
  const data = isObject(body) && Array.isArray(body.data) ? body.data : []
  return data.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.id !== 'string' || !isModelId(entry.id)) return []
    const { owned_by: owned } = entry
    return [toModel(entry.id, typeof owned === 'string' && isOwner(owned) ? owned : owner, createdOf(entry))]
  })
}

/** Seconds since 1970, which Anthropic writes as a date and time; 0 if unknown. */
function createdOf({ created, created_at: at }: JsonObject): number {
  const seconds = typeof at === 'string' ? Math.trunc(Date.parse(at) / 1000) : created
  const isTime = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds < MAX_TIME
  return isTime ? seconds : 0
}

/** `gpt-5`, `org/name:tag`, `@cf/meta/llama-3`, `claude@20250514`: `@` is allowed at the start or before a version. */
const MODEL_ID = /^(?=.{1,256}$)@?[\w.:/+-]+(?:@(?:\d[\w-]*|latest|default))?$/
const isModelId = (id: string): boolean => MODEL_ID.test(id) && !mayBeSecret(withoutDate(id))
const OWNER = /^[\w.:/+-]{1,128}$/
const isOwner = (name: string): boolean => OWNER.test(name) && !mayBeSecret(name)
/** The year 2100, seconds since 1970. */
const MAX_TIME = 4_102_444_800

function getJson(upstream: Upstream, path: string): Promise<Json> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const fail = (why: string) => {
      clearTimeout(timer)
      source.abort()
      reject(new Error(why))
    }
    const timer = setTimeout(() => fail('timeout'), TIMEOUT_MS)
    const sink: Sink = {
      onHeaders: (status) => {
        if (status !== 200) fail(`status ${status}`)
      },
      onData: (chunk) => {
        bytes += chunk.length
        if (bytes > MAX_BYTES) fail('too large')
        else chunks.push(chunk)
      },
      onEnd: () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json)
        } catch {
          reject(new Error('no JSON'))
        }
      },
      onError: ({ error }) => {
        clearTimeout(timer)
        reject(new Error(error.code))
      },
    }
    const headers = { accept: 'application/json', ...upstream.headers }
    const source = upstream.send({ method: 'GET', path, headers, body: Buffer.alloc(0) }, sink)
  })
}
