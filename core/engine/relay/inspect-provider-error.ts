import type { GatewayError } from '../contract/errors.ts'
import type { Verdict } from '../contract/plugin.ts'
import type { ProviderError } from '../dialects/dialect.ts'
import { FieldView } from '../text/field-view.ts'
import { inspectViews } from './buffered.ts'
import type { ReplyContext } from './context.ts'

/** Characters of a message that are shown. It is cut after the inspection, which needs whole values. */
const SHOWN = 4096

/** Inspects the text of a provider's error like any other output. A name with a redaction is left out. */
export function inspectProviderError(
  context: ReplyContext,
  reported: ProviderError,
  then: (reported: ProviderError) => void,
  stopWith?: (stop: Verdict | GatewayError) => void,
): void {
  if (!context.inspects) return then({ ...reported, message: reported.message.slice(0, SHOWN) })
  const views: FieldView[] = []
  const viewOf = (path: string, text: string): FieldView => {
    const origin = { channel: 'error', role: undefined, choice: 0, path } as const
    const view = new FieldView(context.x.inspection, -1 - views.length, origin, 'output', text)
    views.push(view)
    return view
  }
  const message = viewOf('error.message', reported.message)
  const nameOf = (member: 'type' | 'code' | 'param') => {
    const name = reported[member]
    const view = name == null ? undefined : viewOf(`error.${member}`, name)
    return () => (view?.settle() === undefined ? name : undefined)
  }
  const [type, code, param] = [nameOf('type'), nameOf('code'), nameOf('param')]
  const settle = () =>
    then({
      message: (message.settle() ?? reported.message).slice(0, SHOWN),
      type: type() ?? undefined,
      code: code() ?? null,
      param: param() ?? null,
    })
  inspectViews(context, views, settle, stopWith)
}
