import type { Json, Route } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import type { LiveSettings } from './live.ts'

/** Anything: the settings themselves report which fields are wrong. */
export const settingsBody = { type: 'object' } as const

/** Routes of a plugin with settings. */
export function settingsRoutes(path: string, settings: LiveSettings): Route[] {
  return [
    { method: 'GET', path, auth: 'admin', handle: async () => ({ body: await settings.view() }) },
    {
      method: 'PUT',
      path,
      auth: 'admin',
      body: settingsBody,
      handle: async ({ body, caller }): Promise<{ body: Json }> => ({
        body: await settings.put(body as Fields, caller.keyId),
      }),
    },
  ]
}
