/** Certificates for 127.0.0.1, made on the spot: no private key lies in the repository. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

/** A certificate that may issue others. */
export interface Authority extends Certificate {
  readonly name: string
  readonly privateKey: KeyObject
}

export interface CertificateOptions {
  /** Common name; default `loopback`. */
  readonly name?: string
  /** Default: self-signed. */
  readonly issuer?: Authority
  readonly isAuthority?: boolean
  /** DNS names besides the address 127.0.0.1. */
  readonly dns?: readonly string[]
  /** Days from now; default -1 to 1. */
  readonly days?: readonly [from: number, to: number]
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
const BASIC_CONSTRAINTS = hex('551d13')
const DAY = 86_400_000

export const selfSigned = (): Certificate => certificate()

export const authority = (name = 'authority'): Authority => certificate({ name, isAuthority: true })

export function certificate(options: CertificateOptions = {}): Authority {
  const { name = 'loopback', issuer, isAuthority = false, dns = [], days = [-1, 1] } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const [from, to] = days
  const names = [der(0x87, Buffer.from([127, 0, 0, 1])), ...dns.map((one) => der(0x82, Buffer.from(one)))]
  const extensions = [
    sequence(der(0x06, SUBJECT_ALT_NAME), der(0x04, sequence(...names))),
    ...(isAuthority
      ? [sequence(der(0x06, BASIC_CONSTRAINTS), der(0x01, hex('ff')), der(0x04, sequence(der(0x01, hex('ff')))))]
      : []),
  ]
  const body = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    ECDSA_SHA256,
    distinguished(issuer?.name ?? name),
    sequence(time(new Date(Date.now() + from * DAY)), time(new Date(Date.now() + to * DAY))),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, hex('00'), sign('sha256', body, issuer?.privateKey ?? privateKey))
  const whole = sequence(body, ECDSA_SHA256, signature)
  const lines = whole.toString('base64').match(/.{1,64}/g) as string[]
  return {
    name,
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

const distinguished = (name: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from(name)))))
