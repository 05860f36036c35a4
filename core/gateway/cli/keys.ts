import { createKey } from '../../engine/access/keyring.ts'
import { keySchema } from '../../engine/config/schema-entries.ts'
import { type Command, UsageError } from './command.ts'

const ID = new RegExp(keySchema.properties.id.pattern)

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key and the config line for it',
  operands: '[--id ID] [--admin]',
  maxOperands: 0,
  options: {
    id: {
      type: 'string',
      value: 'ID',
      description: 'Name of the key in logs and events; default "app", or "ops" with --admin',
    },
    admin: { type: 'boolean', description: 'The key may use the settings and admin routes' },
  },
  details: `Prints the key, which is stored nowhere, and the line with its hash to paste under
\`keys:\` in the config file. Nothing is written to disk.`,
  run({ values, io }) {
    const admin = values.admin === true
    const id = typeof values.id === 'string' ? values.id : admin ? 'ops' : 'app'
    if (!ID.test(id)) {
      throw new UsageError(
        `--id: use letters, digits and . _ : -, at most 64 characters`,
        'governed-gateway keys create --help',
      )
    }
    const { key, hash } = createKey()
    io.stdout.write(`Key, shown only now:
  ${key}

Paste under \`keys:\` in the config file:
  - { id: ${JSON.stringify(id)}, hash: "${hash}"${admin ? ', admin: true' : ''} }
`)
    return 0
  },
}
