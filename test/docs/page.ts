/** A page of the documentation as its reader goes through it: the blocks in order, and the marks in front of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'

export interface Block {
  /** Empty for an answer in plain text. */
  readonly language: string
  readonly text: string
  /** Of the opening fence, from 1. */
  readonly line: number
  /** The heading it stands under. */
  readonly heading: string
  /** The reason of `<!-- not run: … -->` in front of the block. */
  readonly notRun: string | undefined
}

/** Path of the page, relative to the package. */
export function blocksOf(page: string, root: string = PACKAGE_ROOT): Block[] {
  return blocksIn(readFileSync(join(root, page), 'utf8'))
}

export function blocksIn(text: string): Block[] {
  const blocks: Block[] = []
  let open: { language: string; line: number; body: string[] } | undefined
  let heading = ''
  let notRun: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line)
    if (open !== undefined) {
      if (line !== '```') {
        open.body.push(line)
        continue
      }
      blocks.push({ language: open.language, text: `${open.body.join('\n')}\n`, line: open.line, heading, notRun })
      open = undefined
      notRun = undefined
    } else if (fence !== null) open = { language: fence[1] as string, line: index + 1, body: [] }
    else if (line !== '') {
      heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading
      notRun = /^<!-- not run: (\S.*) -->$/.exec(line)?.[1]
    }
  }
  return blocks
}
