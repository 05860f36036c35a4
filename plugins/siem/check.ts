import type { SettingsProblem, SettingsTools } from 'governed-gateway'
import { checkAgainst, webhookSigner } from 'governed-gateway/kit'
import { destinations } from './destinations/index.ts'
import { httpsOf } from './destinations/syslog.ts'
import type { SiemSettings } from './settings.ts'

/** Checks what the schema cannot express. */
export async function check(settings: SiemSettings, tools: SettingsTools): Promise<SettingsProblem[]> {
  const { enabled, url, destination, destination_options } = settings
  const problems = checkAgainst(destinations[destination].options, structuredClone(destination_options)).problems.map(
    ({ path, message }) => ({ field: path === '' ? 'destination_options' : `destination_options.${path}`, message }),
  )
  if (enabled && url === undefined)
    problems.push({ field: 'url', message: 'is needed to export. Set it, or set enabled to false' })
  for (const field of ['event_types', 'exclude_event_types'] as const)
    problems.push(...tools.checkEventTypes(field, settings[field]))
  const found = [url === undefined ? undefined : await checkTarget(settings, url, tools), checkSecret(settings)]
  return [...problems, ...found.filter((problem) => problem !== undefined)]
}

async function checkTarget(
  { destination }: SiemSettings,
  url: string,
  tools: SettingsTools,
): Promise<SettingsProblem | undefined> {
  const { schemes } = destinations[destination]
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || !schemes.includes(scheme)) {
    return { field: 'url', message: `must begin with ${schemes.map((one) => `${one}://`).join(' or ')}` }
  }
  if (
    destination === 'syslog' &&
    URL.canParse(url) &&
    !['', '/'].includes(new URL(url).pathname + new URL(url).search)
  ) {
    return { field: 'url', message: 'must have only host and port: syslog has no paths' }
  }
  return await tools.checkUrl('url', scheme.startsWith('http') ? url : httpsOf(url))
}

function checkSecret({ signing_secret }: SiemSettings): SettingsProblem | undefined {
  try {
    if (signing_secret !== undefined) webhookSigner(signing_secret)
    return undefined
  } catch {
    return { field: 'signing_secret', message: 'must have base64 after whsec_' }
  }
}
