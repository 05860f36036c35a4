/** How clients connect. */
import { resolve } from 'node:path'
import { subjectOf } from '../../engine/access/client-certificate.ts'
import type { Report, Sound } from '../../engine/config/report.ts'
import type { ConfigData } from '../../engine/config/types.ts'
import { tlsRules } from './rules-connections.ts'

/** Linux takes 107 bytes, other systems 103. */
const LONGEST_PATH = 100

/** @param address what the config says of host and port itself */
export function listenRules(
  data: ConfigData,
  address: readonly string[],
  folder: string,
  sound: Sound,
  report: Report,
): void {
  const { socket, tls } = data.listen
  if (tls !== undefined && sound(['listen', 'tls'])) {
    tlsRules(tls, folder, (path, message) => report(['listen', 'tls', ...path], message))
    if (tls.client_certificates !== 'off' && tls.ca_file === undefined)
      report(['listen', 'tls', 'ca_file'], `is missing: client_certificates need the authorities that issue them`)
  }
  if (socket !== undefined && sound(['listen', 'socket'])) {
    for (const name of address)
      report(['listen', name], 'means nothing beside listen.socket, which takes its place: remove one of them')
    const bytes = Buffer.byteLength(resolve(folder, socket.path))
    if (bytes > LONGEST_PATH)
      report(['listen', 'socket', 'path'], `has ${bytes} bytes with its folder: systems take ${LONGEST_PATH}`)
  }
  if (Array.isArray(data.keys)) certificateRules(data, sound, report)
}

function certificateRules({ keys, listen }: ConfigData, sound: Sound, report: Report): void {
  const known = new Map<string, number>()
  for (const [i, { client_certificate: wanted }] of keys.entries()) {
    if (wanted === undefined || !sound(['keys', i])) continue
    const path = ['keys', i, 'client_certificate']
    if ((listen.tls?.client_certificates ?? 'off') === 'off')
      report(path, 'means nothing: set listen.tls.client_certificates to optional or required')
    const id = JSON.stringify([wanted.subject === undefined ? null : subjectOf(wanted.subject), wanted.san ?? null])
    const twin = known.get(id)
    if (twin !== undefined) report(path, `is the same as that of keys[${twin}]: each needs its own`)
    else known.set(id, i)
    if (wanted.subject !== undefined && !/^[A-Za-z][\w.-]*=./.test(wanted.subject))
      report([...path, 'subject'], 'is no subject: write it like CN=app, O=Example')
  }
}
