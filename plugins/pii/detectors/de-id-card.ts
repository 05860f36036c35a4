import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

export const deIdCard: Detector = {
  type: 'de_id_card',
  title: 'Identity card (Personalausweis)',
  level: 'RESTRICTED',
  region: 'DE',
  check: 'alphabet of the serial number, in context',
  onlyInContext: true,
  fewestDigits: 1,
  patterns: ['[LMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\\d?', '[T]\\d{8}', '\\d{10}'],
  context: words(`
    personalausweis, personalausweisnummer, personalausweis nr, ausweis nr, perso nr, german id, german national id, ausweis, ausweisnummer, identity card, id card, id-karte,
    dokumentennummer, personalausweises, ausweises, bpa-nr, pa-nr, perso
  `),
  judge: (m) => (m.digitCount > 0 && m.contextBefore() > (m.digitCount > 1 ? 0.6 : 0.8) ? 0.8 : 0),
}
