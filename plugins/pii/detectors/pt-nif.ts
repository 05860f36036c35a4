import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const ptNif: Detector = {
  type: 'pt_nif',
  title: 'NIF',
  level: 'RESTRICTED',
  region: 'PT',
  check: 'check digit, in context',
  onlyInContext: true,
  patterns: ['[1-35689]\\d{8}', '[1-35689]\\d{2}[ .\\-]\\d{3}[ .\\-]\\d{3}'],
  context: words(`
    nif, contribuinte, número de contribuinte, número de identificação fiscal, nipc, fiscal number, tax number,
    tax id, n.º contribuinte
  `),
  judge(m) {
    if (m.digitCount !== 9 || m.isJoined) return 0
    if (!validator.isTaxID(m.digits, 'pt-PT')) return m.named()
    const near = m.contextBefore()
    return near > 0 ? 0.75 + near * 0.24 : 0
  },
}
