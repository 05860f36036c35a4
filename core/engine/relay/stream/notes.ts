import type { GatewayError } from '../../contract/errors.ts'
import type { ProviderError } from '../../dialects/dialect.ts'
import type { StreamEvent } from '../../dialects/stream.ts'
import { failure } from '../../upstreams/provider-error.ts'
import { Choices } from '../choices.ts'
import type { ReplyContext } from '../context.ts'
import { Issuing } from '../issuing.ts'

/** What the events of one stream say about the whole reply. */
export class StreamNotes {
  readonly #context: ReplyContext
  readonly issuing: Issuing | undefined
  readonly choices = new Choices()
  /** The provider's report of its failure. */
  reported: ProviderError | undefined = undefined

  constructor(context: ReplyContext) {
    this.#context = context
    this.issuing = Issuing.of(context)
  }

  /** Returns the failure that the event reports. It ends the stream; before the first byte it is still an HTTP error. */
  note(event: StreamEvent): GatewayError | undefined {
    event.dropService()
    this.issuing?.note(event)
    const failed = event.failed ? this.#failure(event) : undefined
    const { reply, request } = this.#context.x
    // The use of a stored reply was counted when it was made.
    const usage = request.stored ? undefined : event.usage
    if (usage !== undefined) reply.usage = usage
    else if (reply.usage !== undefined && event.speaking.length > 0) reply.outgrowUsage()
    this.choices.note(event)
    this.#tellAnomaly()
    return failed
  }

  /** An event that differs from an earlier one only in its text. */
  noteText(speaking: readonly number[]): void {
    const { reply } = this.#context.x
    if (reply.usage !== undefined) reply.outgrowUsage()
    if (this.choices.noteText(speaking)) this.#tellAnomaly()
  }

  #tellAnomaly(): void {
    const { textAfterFinish } = this.choices
    if (textAfterFinish > 0) this.#context.x.reply.anomalies.set('text_after_finish', textAfterFinish)
  }

  #failure(event: StreamEvent): GatewayError {
    const { dialect, reply } = this.#context.x
    this.reported = dialect.readError(event.payload)
    // As an error before the reply: no model was used.
    if (reply.usage === undefined && this.choices.open.size + this.choices.finished.size === 0)
      reply.progress = 'failed'
    return failure(this.reported?.message ?? 'The provider reported an error within its answer.', this.reported)
  }
}
