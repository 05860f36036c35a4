/** Numbers that somebody dictated: `the NHS number is, um, 637, 770, 9269`. A transcript has a comma where the voice rests. */
import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { driverLicense } from './driver-license.ts'
import { nationalId } from './national-id.ts'

/** `it's `, `is, um, `, `es el `: of one value. A list follows its name at once, or a colon. */
const SAID =
  /(?:['’]s|(?:^|[^\p{L}])(?:is|was|ist|war|lautet|c['’]est|est|es|era|é|è|er|är|jest|to|on))(?: (?:el|la|o|a|il|le|die|der|das))?(?:[,.…]{0,3} (?:u[hm]+|er+m?|ähm?|euh|eh|ehm|hm+|hum|ah|so|well|então|bueno|alors))?[,.…:]{0,3} $/iu
const SHORTEST = 9
const LONGEST = 16
const YEAR = /^(?:19|20)\d\d$/
/** The words that may say so. */
const SAID_WITHIN = 40

/** Whether a sentence gives the groups as one number. */
function isSaid({ text, start, value, digitCount }: Candidate): boolean {
  if (digitCount < SHORTEST || digitCount > LONGEST || value.split(', ').every((group) => YEAR.test(group)))
    return false
  return SAID.test(text.slice(Math.max(0, start - SAID_WITHIN), start))
}

export const dictatedId: Detector = {
  ...nationalId,
  check: 'groups of digits with commas, behind a verb, in context',
  fewestDigits: SHORTEST,
  patterns: ['\\d{1,8}(, \\d{1,8}){2,4}'],
  contextGroup: 'national_id/dictated',
  context: [
    ...nationalId.context!,
    ...words(`
      nhs number, nhs no, nhs, nas, sin, sin number, itin, itin number, número itin, ssn, cpf, bsn, tfn, tax file number, pesel,
      aadhaar number, national insurance, medicare number, ahv, avs, numéro avs
    `),
  ],
  judge: (m) => (!m.isJoined && isSaid(m) && m.contextBefore() > 0 ? 0.7 : 0),
}

export const dictatedLicence: Detector = {
  ...driverLicense,
  check: dictatedId.check,
  fewestDigits: SHORTEST,
  patterns: ['\\d{1,8}(, \\d{1,8}){2,4}', '\\d{2,4}( - \\d{2,4}){2,4}'],
  judge: (m) => (!m.isJoined && isSaid(m) && m.contextBefore() > 0 ? 0.7 : 0),
}
