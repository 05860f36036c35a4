import { StringDecoder } from 'node:string_decoder'

/**
 * Lines of a JSON lines file, without line ends. Only `\n` ends a line: `node:readline` also splits at U+2028 and
 * U+2029, which JSON leaves unescaped and a client can send in a model name.
 */
export async function* linesOf(input: AsyncIterable<Buffer | string>): AsyncGenerator<string, void> {
  const decoder = new StringDecoder('utf8')
  let open: string[] = []
  for await (const chunk of input) {
    const [first = '', ...more] = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    open.push(first)
    for (const next of more) {
      yield withoutReturn(open.join(''))
      open = [next]
    }
  }
  const last = open.join('') + decoder.end()
  if (last !== '') yield withoutReturn(last)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
