/** Headers of requests and of replies, each of about a given size. */
export type Heads = Readonly<Record<string, string | string[]>>
type Make = (size: number) => Heads

/** Sizes to measure, and the one that is refused. */
export const HEADS: Readonly<Record<string, { readonly sizes: readonly number[]; readonly refused: number }>> = {
  'request-head': { sizes: [1_000, 4_000, 14_000, 20_000], refused: 20_000 },
  'reply-head': { sizes: [1_000, 4_000, 24_000, 60_000], refused: 40_000 },
}

const times = <T>(size: number, each: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(size / each)) }, (_, i) => make(i))
const list = (size: number, each: number, make: (i: number) => string): string => times(size, each, make).join(',')

const SHARED: Readonly<Record<string, Make>> = {
  'many headers': (size) => Object.fromEntries(times(size, 16, (i) => [`x-many-${i}`, 'a'])),
  'one long header': (size) => ({ 'x-long': 'a'.repeat(size) }),
  'one header many times': (size) => ({ 'x-again': times(size, 16, () => 'a') }),
}

export const REQUEST_HEADS: Readonly<Record<string, Make>> = {
  ...SHARED,
  'a trace state': (size) => ({
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: list(size, 12, (i) => `k${i}=v${i}`),
  }),
  'a list of features': (size) => ({ 'anthropic-beta': list(size, 20, () => 'a-feature-2025-05-14') }),
  'proxies on the way': (size) => ({ 'x-forwarded-for': list(size, 12, (i) => `10.0.0.${i % 256}`) }),
  flags: (size) => ({ 'x-service-flags': list(size, 12, (i) => `flag${i}=on`) }),
  'an id': (size) => ({ 'idempotency-key': '4111 1111 '.repeat(size / 10) }),
  cookies: (size) => ({ cookie: times(size, 8, (i) => `a${i}=b`).join('; ') }),
}

export const REPLY_HEADS: Readonly<Record<string, Make>> = {
  ...SHARED,
  'rate limits': (size) => Object.fromEntries(times(size, 32, (i) => [`x-ratelimit-limit-of-${i}`, '1000'])),
  'an id': (size) => ({ 'x-request-id': '4111 1111 '.repeat(size / 10) }),
  cookies: (size) => ({ 'set-cookie': times(size, 24, (i) => `a${i}=b; Path=/`) }),
}
