/** Events for tests, as the audit log hands them out. */
import type { GovernanceEvent } from 'governed-gateway'

export const blocked = (more: Partial<GovernanceEvent> = {}): GovernanceEvent => ({
  id: '0198f3a0-0000-7000-8000-000000000001',
  schema_version: 1,
  time: '2026-11-21T04:00:00.123Z',
  type: 'request.blocked',
  severity: 'block',
  instance: 'gw-1',
  seq: 1,
  request_id: 'req_37822bd7-569c-4811-9a27-f63f860be305',
  session_id: 'sess_27c770a60d4c9d1aa07be2ee805176cc',
  turn_index: 3,
  key_id: 'app',
  model: 'gpt-5-mini',
  mode: 'enforce',
  classification: 'RESTRICTED',
  reason: 'Card number in prompt',
  detections: [{ type: 'payment_card', count: 2, action: 'block', direction: 'input' }],
  ...more,
})
