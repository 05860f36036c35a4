import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

export const medicalRecord: Detector = {
  type: 'medical_record',
  title: 'Medical record, patient or health plan number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  fewestDigits: 4,
  patterns: [
    '[A-Z]{0,4}[\\- #]?\\d{4,14}[A-Za-z]?',
    '[a-z]{1,4}-?\\d{4,14}',
    '[A-Z0-9]{1,6}(-[A-Z0-9]{1,10}){1,4}',
    '\\d{2,4}([ \\-.]\\d{2,4}){1,3}',
    '[A-Z]{1,4}\\d{2,6}[A-Z]{1,3}\\d{2,8}',
    '[A-Z0-9]{6,14}',
  ],
  context: words(`
    mrn, medical record, medical record number, medical record no, medical records, medical id, patient id,
    patient number, patient no, patient identifier, patientid, chart number, chart no, hospital number,
    hospital no, health record, health plan, health insurance number, health insurance id, insurance id, member id,
    subscriber id, beneficiary, beneficiary number, health card, mbi, patientennummer, fallnummer, krankenakte,
    versichertennummer, krankenversichertennummer, numéro de patient, dossier médical, número de paciente,
    historia clínica, número de historia, cartella clinica, prontuário, patiëntnummer
  `),
  judge(m) {
    if (m.digitCount < 4 || m.compactCount > 18 || (m.before(1) === '-' && /\w/.test(m.before(2)))) return 0
    if (/^(?:19|20)\d\d$/.test(m.value)) return 0
    if (m.compactCount === 4 && MEMBER.test(m.text.slice(Math.max(0, m.start - 16), m.start))) return 0
    const near = m.contextBefore()
    return near > 0.6 ? 0.6 + near * 0.3 : 0
  },
}

/** Clubs and tables of programs have members and subscribers, too: `member id: 1001`. */
const MEMBER = /(?:member|subscriber)[ _-]?id\W{0,3}$/i
