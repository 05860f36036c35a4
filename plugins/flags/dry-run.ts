import type { Answer, Exchange, Json } from 'governed-gateway'

/** A completion that says what would have happened; it passes the same checks as a reply of the model. */
export function dryRunAnswer(x: Exchange): Answer {
  x.reply.extend('dry_run', true)
  if (x.caller.admin) tellAdmin(x)
  const found = x.findings.map(({ type, count, action }) => `${count} × ${type} (${action})`)
  const parts = [
    'Dry run: no model was called.',
    `The request would go to the model ${x.request.model}, classified ${x.label}, in mode ${x.mode}.`,
    found.length === 0 ? 'Nothing was found in it.' : `Found in it: ${found.join(', ')}.`,
  ]
  return x.answer(parts.join(' '))
}

/** Larger requests are left out. */
const MAX_CHARACTERS = 50_000

/** What each plugin found, and the request as it would be sent; it may have an operator's notes to the model. */
function tellAdmin(x: Exchange): void {
  const found = x.findings.filter(({ direction }) => direction === 'input')
  x.reply.extend(
    'dry_run_findings',
    found.map(({ plugin, type, count, action }) => ({ plugin, type, count, action })),
  )
  const sent = JSON.stringify(x.request.json)
  if (sent.length <= MAX_CHARACTERS) x.reply.extend('dry_run_request', JSON.parse(sent) as Json)
}
