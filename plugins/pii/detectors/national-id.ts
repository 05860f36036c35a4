import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** For countries without their own detector: checks only the words beside the number. */
export const nationalId: Detector = {
  type: 'national_id',
  title: 'Other national, tax or identity card number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  patterns: [
    '[A-Za-z]{0,3}\\d{5,14}[A-Za-z]{0,2}',
    '\\d{1,6}([ .\\-]\\d{1,8}){1,5}[A-Za-z]?',
    '[A-Z]{1,4}[ \\-]\\d{4,12}([ \\-]\\d{1,6})?',
    '[A-Z0-9]{7,14}',
  ],
  context: words(`
    national id, national id number, national identity, national identity number, national identification,
    national identification number, identity card, identity card number, id card, id card number, identity number,
    identification number, government id, citizen id, citizenship number, personal id, personal identification,
    personal number, nid, nin, tax id, tax number, tax identification, tax identification number, taxpayer, tin,
    vat number, vat id, voter id, voter, ssn, social security, socialnum, residence permit, green card,
    visa number, ausweisnummer, personalausweis, umsatzsteuer-id, ust-id, carte d'identité,
    carte nationale d'identité, cni, cédula, cedula, documento de identidad, rut, cuit, cuil, ruc, rfc,
    identiteitskaart, cartão de cidadão, rg, documento, dowód osobisty, partita iva, id-kort, ssn number, 身份证,
    マイナンバー, 個人番号, 주민등록, инн, снилс
  `),
  judge(m) {
    if (m.digitCount < 5 || m.compactCount > 16 || m.isJoined) return 0
    const near = m.contextBefore()
    return near > 0.7 ? 0.4 + near * 0.3 : 0
  },
}
