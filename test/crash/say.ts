import { writeSync } from 'node:fs'

/** Prints a line straight to the descriptor: it is in the pipe, whatever happens to this process afterwards. */
export function say(line: string): void {
  let rest = Buffer.from(`${line} .\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      // The pipe is full; its reader is slow.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
