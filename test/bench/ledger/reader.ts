import { definePlugin } from 'governed-gateway'

/** Governs nothing; with `read` it makes events durable, which is then all that it costs. */
export default definePlugin({
  name: 'reader',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: { read: { type: 'boolean', default: true } },
  },
  create: ({ read }, { auditLog }) => {
    if (read) auditLog()
    return {}
  },
})
