import type { X509Certificate } from 'node:crypto'
import type { KeyConfig } from '../config/types.ts'

/** What names the caller in a certificate that was verified. */
export type ClientCertificate = Pick<X509Certificate, 'subject' | 'subjectAltName'>

type Wanted = NonNullable<KeyConfig['client_certificate']>

/** Compares certificates with what a key names. */
export function certificateMatcher({ subject, san }: Wanted): (certificate: ClientCertificate) => boolean {
  const wanted = subject === undefined ? undefined : subjectOf(subject)
  return (certificate) =>
    (wanted === undefined || sorted(certificate.subject?.split('\n') ?? []) === wanted) &&
    (san === undefined || namesIn(certificate.subjectAltName).includes(san))
}

/** `CN=app, O=Example` in one spelling, whatever its order. */
export const subjectOf = (text: string): string => sorted(text.split(/(?<!\\)[,\n]\s*(?=[A-Za-z][\w.-]*=)/))

const sorted = (parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .sort()
    .join('\n')

/** Node quotes names that hold a comma or a quotation mark. */
const namesIn = (text: string | undefined): string[] =>
  (text?.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []).map((name) => name.trim())
