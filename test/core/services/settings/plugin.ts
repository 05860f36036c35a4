/** A plugin that declares settings of every kind, for the tests of this folder. */
import type { Services, SettingsProblem, SettingsTools } from '../../../../core/engine/contract/plugin.ts'
import { definePlugin } from '../../../../core/engine/contract/plugin.ts'

export const PATH = '/api/settings/export'

const properties = {
  enabled: { type: 'boolean', default: false },
  kind: { type: 'string', enum: ['webhook', 'other'], default: 'webhook' },
  url: { type: 'string', maxLength: 2048 },
  token: { type: 'string', minLength: 1, maxLength: 200 },
  types: { type: 'array', items: { type: 'string' }, default: [] },
  size: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  options: {
    type: 'object',
    additionalProperties: false,
    default: {},
    properties: { index: { type: 'string', default: 'main' }, api_key: { type: 'string' } },
  },
  destinations: {
    type: 'array',
    default: [],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'url'],
      properties: { name: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' } },
    },
  },
} as const

export interface ExportSettings {
  readonly enabled: boolean
  readonly kind: string
  readonly url?: string
  readonly token?: string
  readonly types: readonly string[]
  readonly size: number
  readonly options: { readonly index: string; readonly api_key?: string }
  readonly destinations: readonly { readonly name: string; readonly url: string; readonly key?: string }[]
}

async function check(settings: ExportSettings, tools: SettingsTools): Promise<SettingsProblem[]> {
  if (settings.enabled && settings.url === undefined) return [{ field: 'url', message: 'is needed when enabled' }]
  const problem = settings.url === undefined ? undefined : await tools.checkUrl('url', settings.url)
  return problem === undefined ? [] : [problem]
}

/** The plugin, and what it was given. */
export function exporter(name = 'export') {
  const given = {
    services: undefined as Services<ExportSettings> | undefined,
    changes: [] as ExportSettings[],
    /** Settles when the settings hold, also those that another process made. */
    async until(holds: (settings: ExportSettings) => boolean): Promise<ExportSettings> {
      for (;;) {
        const { current } = this.services!.settings
        if (holds(current)) return current
        const { promise, resolve } = Promise.withResolvers<unknown>()
        const stop = this.services!.settings.onChange(resolve)
        await promise
        stop()
      }
    },
  }
  const plugin = definePlugin({
    name,
    schema: { type: 'object', properties, additionalProperties: false },
    settings: {
      path: PATH,
      schema: { type: 'object', properties, additionalProperties: false },
      env: { url: 'EXPORT_URL', token: 'EXPORT_TOKEN', size: 'EXPORT_SIZE', types: 'EXPORT_TYPES' },
      envImplies: { EXPORT_URL: { enabled: true } },
      secrets: ['token', 'options.api_key', 'destinations[].key'],
      targets: ['url', 'kind', 'destinations[].url'],
      check,
    },
    create(_options, services: Services<ExportSettings>) {
      given.services = services
      services.settings.onChange((settings) => given.changes.push(settings))
      return {}
    },
  })
  return { plugin, given }
}
