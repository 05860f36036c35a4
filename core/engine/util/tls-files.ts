/** Certificates and keys in PEM files. Messages name the file, never its content. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { reasonOf } from './system-error.ts'
import { readTextFile } from './text-file.ts'

export interface TlsFiles {
  readonly ca_file?: string | undefined
  readonly cert_file?: string | undefined
  readonly key_file?: string | undefined
}

/** For `tls.connect`, `tls.createServer` and `setSecureContext`. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** What is wrong with one of the files. */
export class TlsFileError extends Error {
  override name = 'TlsFileError'
  readonly member: keyof TlsFiles

  constructor(member: keyof TlsFiles, message: string) {
    super(message)
    this.member = member
  }
}

export const filesOf = ({ ca_file, cert_file, key_file }: TlsFiles): string[] =>
  [ca_file, cert_file, key_file].filter((file) => file !== undefined)

/** Reads and checks the files, if there are any. Throws a `TlsFileError`. */
export function readTls(files: TlsFiles, now = Date.now()): TlsMaterial {
  if (filesOf(files).length === 0) return {}
  const { ca_file: ca, cert_file: cert, key_file: key } = files
  const material = {
    ...(ca !== undefined && { ca: readAuthorities(ca, now) }),
    ...(cert !== undefined && { cert: readCertificate(cert, now) }),
    ...(key !== undefined && { key: readKey(key) }),
  }
  if (cert !== undefined && key !== undefined) checkPair(material as Required<TlsMaterial>, cert, key)
  try {
    createSecureContext(material)
  } catch (error) {
    // OpenSSL's messages contain no secrets.
    const member = cert === undefined ? 'ca_file' : 'cert_file'
    throw new TlsFileError(member, `${cert ?? ca} cannot be used for TLS: ${(error as Error).message}`)
  }
  return material
}

function readAuthorities(file: string, now: number): string {
  const pem = read('ca_file', file)
  const all = certificatesIn('ca_file', file, pem)
  // A bundle may carry old authorities beside current ones.
  if (all.every(({ validTo }) => Date.parse(validTo) < now))
    throw new TlsFileError('ca_file', `${file} has expired certificates only: name a current one`)
  return pem
}

function readCertificate(file: string, now: number): string {
  const pem = read('cert_file', file)
  const [{ validFrom, validTo }] = certificatesIn('cert_file', file, pem) as [X509Certificate]
  if (Date.parse(validTo) < now)
    throw new TlsFileError('cert_file', `${file} expired on ${day(validTo)}: renew the certificate`)
  if (Date.parse(validFrom) > now)
    throw new TlsFileError('cert_file', `${file} is not valid before ${day(validFrom)}: check the clock`)
  return pem
}

function readKey(file: string): string {
  const pem = read('key_file', file)
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem))
    throw new TlsFileError(
      'key_file',
      `${file} is encrypted: store it decrypted (openssl pkey), readable to the gateway only`,
    )
  try {
    createPrivateKey(pem)
  } catch {
    throw new TlsFileError('key_file', `${file} holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)`)
  }
  return pem
}

function checkPair({ cert, key }: Required<TlsMaterial>, file: string, keyFile: string): void {
  if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return
  throw new TlsFileError('key_file', `${keyFile} is not the private key of the first certificate in ${file}`)
}

function read(member: keyof TlsFiles, file: string): string {
  try {
    return readTextFile(file)
  } catch (error) {
    const why = reasonOf(error) ?? (error as NodeJS.ErrnoException).code
    throw new TlsFileError(member, `${file} cannot be read: ${why}`)
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** At least one. */
function certificatesIn(member: keyof TlsFiles, file: string, pem: string): X509Certificate[] {
  const found = pem.match(CERTIFICATE) ?? []
  if (found.length === 0)
    throw new TlsFileError(member, `${file} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)`)
  try {
    return found.map((one) => new X509Certificate(one))
  } catch {
    throw new TlsFileError(member, `${file} holds a broken certificate`)
  }
}

const day = (time: string): string => new Date(time).toISOString().slice(0, 10)
