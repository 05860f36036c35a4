import { CATALOGUE } from '../../core/engine/contract/errors.ts'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import { markdownTable } from './option-table.ts'

/** Types of errors that no client sees: raised at start, on the command line, or to plugin code. */
const INTERNAL = new Set<string>(['config_error', 'plugin_error'])

export function errorsPage(specs: readonly PluginSpec[]): string {
  const entries = Object.entries(CATALOGUE)
  const sent = entries.filter(([, { type }]) => !INTERNAL.has(type))
  const internal = entries.filter(([, { type }]) => INTERNAL.has(type))
  return `# Errors

<!-- Generated from core/engine/contract/errors.ts and the plugins' \`errors\` by \`npm run generate\`. -->

Every error reply is JSON with this body. \`message\` is never empty. \`request_id\` is also in the \`x-request-id\` header.

\`\`\`json
{ "error": { "message": "…", "type": "…", "code": "…", "param": null, "request_id": "…" } }
\`\`\`

A policy block adds \`error.reason\`, \`error.classification\` and, next to \`error\`, \`service\` with the governance metadata. In a
stream that has begun, the error is one \`data:\` event. \`[DONE]\` follows only if the gateway ended the reply on purpose.

## Sent to clients

${markdownTable(
  ['Status', '`error.type`', '`error.code`', 'What to do', 'In the log'],
  sent.map(([name, { status, type, code, remedy }]) => [
    String(status),
    `\`${type}\``,
    `\`${code}\``,
    remedy,
    `\`${name}\``,
  ]),
)}
A provider's own errors pass through with their status, message, type and code, and with \`Retry-After\`, \`retry-after-ms\` and
\`x-should-retry\`. From 500 on the type is \`upstream_error\`. Only its 401, 403 and 407 become \`upstream_denied\`: they concern the gateway's credential. An error with status
200 becomes 502. The type \`policy_block\` and the codes that only this gateway has are left out of these errors.

## From plugins

Only while the plugin is enabled. Your own plugins may declare more.

${markdownTable(
  ['Status', '`error.type`', '`error.code`', 'Plugin', 'What to do'],
  specs.flatMap(({ name, errors = {} }) =>
    Object.entries(errors).map(([code, { status, type = 'invalid_request_error', remedy }]) => [
      String(status),
      `\`${type}\``,
      `\`${code}\``,
      name,
      remedy,
    ]),
  ),
)}
## At start, on the command line and in plugins

${markdownTable(
  ['Code', 'What to do'],
  internal.map(([name, { remedy }]) => [`\`${name}\``, remedy]),
)}`
}
