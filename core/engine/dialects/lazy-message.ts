import type { RequestMessage } from '../contract/plugin.ts'

/** A message that is read when something else than its role is asked for. */
export function lazily(role: string, read: () => RequestMessage): RequestMessage {
  let message: RequestMessage | undefined
  const made = () => {
    message ??= read()
    return message
  }
  return {
    role,
    get texts() {
      return made().texts
    },
    get callArguments() {
      return made().callArguments
    },
  }
}
