import type { Json, Route } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { CORE_PATHS } from '../../engine/util/core-paths.ts'
import type { PluginOptions } from './live.ts'

/** Anything: which members are wrong is told by the plugin's schema. */
const optionsBody = { type: 'object' } as const

/** Options of every enabled plugin, for admins. */
export function optionsRoutes(options: PluginOptions): Route[] {
  const path = `${CORE_PATHS.plugins}/{name}/options`
  return [
    { method: 'GET', path: CORE_PATHS.plugins, auth: 'admin', handle: () => ({ body: { plugins: options.list() } }) },
    {
      method: 'GET',
      path,
      auth: 'admin',
      handle: async ({ params: { name = '' } }) => ({ body: await options.view(name) }),
    },
    {
      method: 'PUT',
      path,
      auth: 'admin',
      body: optionsBody,
      handle: async ({ params: { name = '' }, body, caller }) => ({
        body: await options.put(name, body as Fields, caller.keyId),
      }),
    },
    {
      method: 'DELETE',
      path,
      auth: 'admin',
      handle: async ({ params: { name = '' }, caller }) => ({
        body: await options.put(name, undefined, caller.keyId),
      }),
    },
    {
      method: 'POST',
      path: `${path}/check`,
      auth: 'admin',
      body: optionsBody,
      async handle({ params: { name = '' }, body }) {
        const { problems, warnings, yaml } = await options.check(name, body as Fields)
        const told = problems.map(({ field: param, message }) => ({ param, message }))
        return { body: { valid: told.length === 0, problems: told, warnings, yaml } as unknown as Json }
      },
    },
  ]
}
