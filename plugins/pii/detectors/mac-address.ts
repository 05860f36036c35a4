import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const macAddress: Detector = {
  type: 'mac_address',
  title: 'MAC address',
  level: 'CONFIDENTIAL',
  check: 'structure; not all zero, not broadcast',
  patterns: [
    '[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}',
    '[0-9A-Fa-f]{2}(-[0-9A-Fa-f]{2}){5}',
    '[0-9A-Fa-f]{4}(\\.[0-9A-Fa-f]{4}){2}',
    '[0-9A-Fa-f]{12}',
  ],
  context: words(`
    mac, mac address, mac addr, hwaddr, ether, ethernet, hardware address, physical address, bssid, wifi, device,
    nic
  `),
  judge(m) {
    const { compact } = m
    if (compact.length !== 12 || /^(?:0+|F+)$/.test(compact)) return 0
    const joint = /[:\-.]/
    if (
      (joint.test(m.before(1)) && /[0-9A-Fa-f]/.test(m.before(2))) ||
      (joint.test(m.after(1)) && /[0-9A-Fa-f]/.test(m.after(2)))
    )
      return 0
    if (m.end - m.start === 12) return /[A-F]/.test(compact) && m.contextBefore() > 0 ? 0.8 : 0
    if (m.value.includes('.') && m.before(1) === '.') return 0
    if (m.value.includes('.')) return m.contextBefore() > 0 || /[A-F]/.test(compact) ? 0.8 : 0
    return validator.isMACAddress(m.value) ? 0.95 : 0
  },
}
