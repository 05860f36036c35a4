import type { FromSchema } from 'json-schema-to-ts'
import type { configSchema } from './schema.ts'

/** The config as data, after defaults. */
export type ConfigData = FromSchema<typeof configSchema>

type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** The whole config, validated and deep-frozen. Names are those of the file. */
export type Config = DeepReadonly<ConfigData>
export type ListenConfig = Config['listen']
export type UpstreamConfig = Config['upstreams'][string]
export type RouteConfig = Config['routes'][number]
export type KeyConfig = Config['keys'][number]
export type PluginEntry = Config['plugins'][number]
