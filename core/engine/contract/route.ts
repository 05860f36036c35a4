/** Routes of plugins. */
import type { JSONSchema } from 'json-schema-to-ts'
import type { Awaitable, Json } from './basics.ts'
import type { Caller } from './principal.ts'

/** JSON, or a text of another type. */
export type RouteReply = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly body: Json }
  | { readonly text: string; readonly contentType: string }
)

export interface Route {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Exact path, such as `/api/budgets`; whole segments may be parameters: `/api/things/{id}`. */
  path: string
  auth: 'admin' | 'user'
  /** JSON Schema of the body. */
  body?: JSONSchema
  handle(request: RouteRequest): Awaitable<RouteReply>
}

export interface RouteRequest {
  /** Null unless the route declares `body`. */
  readonly body: Json
  readonly query: URLSearchParams
  /** Values of the path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Names in lower case. They may hold the caller's key. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly caller: Caller
  /** The gateway itself received the request over TLS. */
  readonly encrypted: boolean
}

/** A route without an API key, such as for a scraper. */
export interface OpenRoute {
  method: 'GET'
  path: string
  auth: 'none'
  /** Bearer token that callers must send, compared in constant time. Default: open to all. */
  token?: string
  handle(request: { query: URLSearchParams }): Awaitable<RouteReply>
}
