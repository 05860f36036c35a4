import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

export const itDocuments: Detector = {
  type: 'it_identity_card',
  title: 'Identity card (carta d’identità)',
  level: 'RESTRICTED',
  region: 'IT',
  check: 'structure, in context',
  onlyInContext: true,
  patterns: ['[A-Za-z]{2} ?\\d{5}[A-Za-z]{2}', '[A-Za-z]{2} ?\\d{7}', '\\d{7}[A-Za-z]{2}'],
  context: words(`
    carta d'identità, carta di identità, carta d'identita, cie, documento, numero carta d'identità, identity card,
    id card, ci n, c.i, documento n, doc. n
  `),
  judge: (m) => (m.contextBefore() > 0.6 ? 0.8 : 0),
}
