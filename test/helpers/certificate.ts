/** A self-signed certificate for 127.0.0.1, made on the spot: no private key lies in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** DER: tag, length, content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ECDSA_SHA256 = sequence(der(0x06, hex('2a8648ce3d040302')))
const COMMON_NAME = hex('550403')
const SUBJECT_ALT_NAME = hex('551d11')

export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from('loopback')))))
  const day = 86_400_000
  const validity = sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day)))
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = der(0xa3, sequence(sequence(der(0x06, SUBJECT_ALT_NAME), der(0x04, address))))
  const body = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = der(0x03, hex('00'), sign('sha256', body, privateKey))
  const whole = sequence(body, ECDSA_SHA256, signature)
  const lines = whole.toString('base64').match(/.{1,64}/g) as string[]
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
