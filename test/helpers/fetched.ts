import type { FetchReply } from 'governed-gateway'

/** What `services.fetch` gives for an answer. */
export const fetched = (status: number, text = '', headers: Record<string, string> = {}): FetchReply => ({
  ...{ status, headers, truncated: false },
  text: async () => text,
  bytes: async () => Buffer.from(text),
})
