import { fingerprint } from '../../services/audit/anchor.ts'
import { auditExport } from './audit-export.ts'
import { configOf, signerOf } from './audit-source.ts'
import { auditTail } from './audit-tail.ts'
import { auditVerify } from './audit-verify.ts'
import type { Command } from './command.ts'

const auditKey: Command = {
  name: 'audit key',
  summary: 'Print the public key that verifies anchors of the audit trail',
  operands: '[--config FILE]',
  maxOperands: 0,
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      description: 'Config file; default: the one in the package',
    },
  },
  details: `The private key is derived from the deployment's secret and is kept nowhere. Give the public
key to the auditor: \`audit verify --key KEY\` needs nothing else.`,
  run({ values, io }) {
    const { publicKey } = signerOf(configOf(values))
    io.stdout.write(`${publicKey}\n`)
    io.stderr.write(`fingerprint ${fingerprint(publicKey)}\n`)
    return 0
  },
}

export const auditCommands: readonly Command[] = [auditVerify, auditExport, auditTail, auditKey]
