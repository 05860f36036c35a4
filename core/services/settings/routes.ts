import type { Json, Route } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import type { LiveSettings } from './live.ts'

/** What the host serves for a plugin that declares settings. */
export function settingsRoutes(path: string, settings: LiveSettings): Route[] {
  return [
    { method: 'GET', path, auth: 'admin', handle: async () => ({ body: await settings.view() }) },
    {
      method: 'PUT',
      path,
      auth: 'admin',
      body: { type: 'object' },
      handle: async ({ body, caller }): Promise<{ body: Json }> => ({
        body: await settings.put(body as Fields, caller.keyId),
      }),
    },
  ]
}
