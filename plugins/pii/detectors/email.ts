import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { isDomainEnding } from './top-level-domains.ts'

export const LOCAL = "\\w[\\w.+%'’_\\-]*"

export const email: Detector = {
  type: 'email',
  title: 'E-mail address',
  level: 'CONFIDENTIAL',
  check: 'structure and ending of the domain',
  patterns: [`${LOCAL}@([\\w_\\-]+\\.)+(\\l\\w{1,24}|xn--[\\w\\-]{1,40})`, `${LOCAL}@\\[\\d{1,3}(\\.\\d{1,3}){3}\\]`],
  context: words(`
    email, e-mail, emails, email address, mail, mail me, email me, write to, contact, reach me, reach, correo,
    correo electrónico, courriel, adresse mail, posta elettronica, e-mailadres, sähköposti, e-post, mailadresse
  `),
  judge(m) {
    const { value } = m
    if (!value.endsWith(']') && !isDomainEnding(value.slice(value.lastIndexOf('.') + 1))) return 0
    if (m.after(1) === '(' && !NO_METHOD.test(value)) return 0 // a call: `q@k.transpose(0, 1)`
    if (m.after(1) === ':' && value.startsWith('git@')) return 0 // a repository
    return isUserinfo(m) ? 0 : 1
  },
}

/** Endings that no method is called by. */
const NO_METHOD = /\.(?:com|org|net|edu|gov|de|fr|uk|nl|es|eu|ca|ch|au|br|jp|cn|ru|pl)$/i

/** `scheme://user:password@host` is a credential, which other detectors are for. */
function isUserinfo(m: Candidate): boolean {
  const before = m.before(1)
  if (before !== '/' && before !== ':') return false
  return /:\/\/[^\s/@"'<>]*$/.test(m.text.slice(Math.max(0, m.start - 64), m.start))
}
