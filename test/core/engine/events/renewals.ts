/** Events of keys and certificates that change while the gateway runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { authority } from '../../../helpers/certificate.ts'

const filesIn = (folder: string) => ({ key: join(folder, 'provider-key'), ca: join(folder, 'ca.pem') })

/** An upstream that nobody answers, with files. */
export function renewingUpstream(folder: string): object {
  const { key, ca } = filesIn(folder)
  writeFileSync(key, 'sk-first')
  writeFileSync(ca, authority().cert)
  return { url: 'https://127.0.0.1:1/v1', key_file: key, tls: { ca_file: ca } }
}

/** Breaks and mends the files; `ask` sends a request to the upstream. */
export async function renewals(folder: string, ask: () => Promise<unknown>): Promise<void> {
  const { key, ca } = filesIn(folder)
  writeFileSync(key, '')
  writeFileSync(ca, 'no certificate')
  await ask()
  writeFileSync(ca, authority('the next authority').cert)
  await ask()
}
