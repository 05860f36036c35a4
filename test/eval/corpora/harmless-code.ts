import type { Case, Corpus } from '../corpus.ts'
import { SNIPPETS } from '../data/snippets.ts'
import { Random, seedOf } from '../random.ts'

const NAMES = [
  'count',
  'total',
  'offset',
  'user_id',
  'retries',
  'maxSize',
  'timeout',
  'index',
  'chunk',
  'result',
  'response',
  'cacheKey',
  'width',
  'order_id',
  'status',
  'lastSeen',
  'buffer',
]

const LINES: readonly ((r: Random) => string)[] = [
  (r) => `const ${r.pick(NAMES)} = ${r.int(0, 9_999_999)}`,
  (r) => `let ${r.pick(NAMES)} = ${r.pick(NAMES)}.map((x) => x * ${r.int(1, 99)} + 0x${r.fill('HHHHHHHH')})`,
  (r) => `if (${r.pick(NAMES)} >= ${r.int(1, 4096)}) return ${r.pick(NAMES)}[${r.int(0, 20)}]`,
  (r) => `self.assertEqual(${r.pick(NAMES)}.${r.pick(NAMES)}, ${r.int(1, 100_000)})`,
  (r) => `# see issue #${r.int(1, 40_000)}, added in ${r.int(1, 9)}.${r.int(0, 30)}.${r.int(0, 9)}`,
  (r) =>
    `logger.info("processed %d of %d in %.2f ms", ${r.pick(NAMES)}, ${r.int(1, 9999)}, ${r.int(1, 99)}.${r.fill('##')})`,
  (r) => `const sha = '${r.fill('H'.repeat(40))}'`,
  (r) => `"${r.pick(NAMES)}": ${r.int(0, 1_000_000)}, "id": "${r.fill('HHHHHHHH-HHHH-4HHH-aHHH-HHHHHHHHHHHH')}"`,
  (r) => `for (let i = 0; i < ${r.int(2, 1024)}; i += ${r.int(1, 8)}) sum += data[i] ^ ${r.int(1, 255)}`,
  (r) => `assert hash(${r.int(1, 99)}) == ${r.fill('X#########')}`,
  (r) =>
    `@media (min-width: ${r.int(320, 1920)}px) { .c${r.int(1, 99)} { margin: ${r.int(0, 64)}px ${r.int(0, 64)}px } }`,
  (r) =>
    `INSERT INTO items VALUES (${r.int(1, 99_999)}, 'item ${r.int(1, 999)}', ${r.int(1, 999)}.${r.fill('##')}, '2024-0${r.int(1, 9)}-1${r.int(0, 9)}');`,
  (r) => `image: registry.example.org/app:${r.int(1, 9)}.${r.int(0, 20)}.${r.int(0, 20)}-rc.${r.int(1, 9)}`,
  (r) => `var token = arr[${r.int(0, 9)}] << ${r.int(1, 31)} >>> ${r.int(1, 31)}; // ${r.fill('##')}:${r.fill('##')}`,
  (r) =>
    `return ${r.pick(NAMES)} % ${r.int(2, 1_000_003)} === ${r.int(0, 9)} ? ${r.int(1, 9)}e${r.int(1, 9)} : -${r.int(1, 999)}`,
]

function code(): readonly Case[] {
  const r = new Random(seedOf('code'))
  const made = Array.from({ length: 600 }, () =>
    Array.from({ length: r.int(3, 14) }, () => r.pick(LINES)(r)).join('\n'),
  )
  return [...made, ...SNIPPETS, ...SNIPPETS.map((snippet) => `\`\`\`\n${snippet}\`\`\`\nDoes that help?`)].map(
    (text) => ({ text }),
  )
}

const LOGS: readonly ((r: Random) => string)[] = [
  (r) =>
    `2024-0${r.int(1, 9)}-1${r.int(0, 9)}T${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)}.${r.fill('###')}Z INFO  [worker-${r.int(1, 16)}] job ${r.fill('HHHHHHHH')} done in ${r.int(1, 9000)}ms`,
  (r) =>
    `[${r.int(1, 999_999)}.${r.fill('######')}] usb ${r.int(1, 4)}-${r.int(1, 9)}: new high-speed USB device number ${r.int(2, 30)} using xhci_hcd`,
  (r) =>
    `level=warn ts=${r.fill('17########')}.${r.fill('###')} caller=main.go:${r.int(10, 900)} msg="slow query" duration=${r.int(1, 9)}.${r.fill('###')}s rows=${r.int(1, 99_999)}`,
  (r) =>
    `Nov ${r.int(1, 28)} ${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)} host kernel: Out of memory: Killed process ${r.int(1000, 65_000)} (node) total-vm:${r.fill('X######')}kB, anon-rss:${r.fill('X#####')}kB`,
  (r) =>
    `"GET /api/v${r.int(1, 3)}/items/${r.int(1, 99_999)}?page=${r.int(1, 50)} HTTP/1.1" ${r.pick(['200', '304', '404', '500'])} ${r.int(100, 99_999)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${r.int(90, 130)}.0.${r.int(1000, 6999)}.${r.int(10, 199)} Safari/537.36"`,
  (r) =>
    `trace_id=${r.fill('H'.repeat(32))} span_id=${r.fill('H'.repeat(16))} status=${r.int(0, 2)} dur_us=${r.int(10, 999_999)}`,
  (r) =>
    `GC pause (young) ${r.int(100, 999)}M->${r.int(50, 99)}M(${r.int(1, 8)}024M) ${r.int(1, 40)}.${r.fill('###')}ms`,
  (r) =>
    `{"time":${r.fill('17###########')},"level":30,"pid":${r.int(100, 65_000)},"req":{"id":${r.int(1, 9999)}},"responseTime":${r.int(1, 900)},"msg":"request completed"}`,
]

function logs(): readonly Case[] {
  const r = new Random(seedOf('logs'))
  return Array.from({ length: 600 }, () => ({
    text: Array.from({ length: r.int(2, 8) }, () => r.pick(LOGS)(r)).join('\n'),
  }))
}

const harmless = { plugin: 'pii', kind: 'harmless' } as const

export default [
  { ...harmless, name: 'code', group: 'code', cases: code },
  { ...harmless, name: 'logs', group: 'logs', cases: logs },
] satisfies Corpus[]
