import type { Answer, Exchange } from 'governed-gateway'

/** A completion that tells what would have happened; it passes the same checks as a reply of the model. */
export function dryRunAnswer(x: Exchange): Answer {
  x.reply.extend('dry_run', true)
  const found = x.findings.map(({ type, count, action }) => `${count} × ${type} (${action})`)
  const parts = [
    'Dry run: no model was called.',
    `The request would go to the model ${x.request.model}, classified ${x.label}, in mode ${x.mode}.`,
    found.length === 0 ? 'Nothing was found in it.' : `Found in it: ${found.join(', ')}.`,
  ]
  return x.answer(parts.join(' '))
}
