import { GatewayError } from '../../engine/contract/errors.ts'
import type { Json, Route, RouteRequest } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { CORE_PATHS } from '../../engine/util/core-paths.ts'
import type { Change, PluginOptions } from './live.ts'

/** Anything: the plugin's schema reports which members are wrong. */
const optionsBody = { type: 'object' } as const

/** Options are built and compiled while requests wait. */
const MAX_BYTES = 256 * 1024

function bounded(body: Json): Fields {
  if (JSON.stringify(body).length > MAX_BYTES)
    throw new GatewayError(
      'GW_BODY_TOO_LARGE',
      `Options that are sent here have at most ${MAX_BYTES / 1024} KiB. Larger ones belong into the config file.`,
    )
  return body as Fields
}

/** @throws GatewayError GW_INVALID_PARAMETER */
function changeOf({ headers: { 'if-match': seen }, caller: { keyId: by } }: RouteRequest): Change {
  if (seen === undefined || seen === '*') return { by, seen: undefined }
  const [, revision] = /^"?([\w-]+)"?$/.exec(String(seen)) ?? []
  if (revision !== undefined) return { by, seen: revision }
  throw new GatewayError(
    'GW_INVALID_PARAMETER',
    'The header If-Match must be the `revision` that GET answers, in quotes.',
  )
}

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
      handle: async (request) => ({
        body: await options.put(request.params.name ?? '', bounded(request.body), changeOf(request)),
      }),
    },
    {
      method: 'DELETE',
      path,
      auth: 'admin',
      handle: async (request) => ({
        body: await options.put(request.params.name ?? '', undefined, changeOf(request)),
      }),
    },
    {
      method: 'POST',
      path: `${path}/check`,
      auth: 'admin',
      body: optionsBody,
      async handle({ params: { name = '' }, body }) {
        const { problems, warnings, yaml } = await options.check(name, bounded(body))
        const listed = problems.map(({ field: param, message }) => ({ param, message }))
        return { body: { valid: listed.length === 0, problems: listed, warnings, yaml } as unknown as Json }
      },
    },
  ]
}
