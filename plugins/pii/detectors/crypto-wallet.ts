import { createHash } from 'node:crypto'
import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const BASE58 = '[1-9A-HJ-NP-Za-km-z]'

/** Addresses that are unambiguous by prefix and length; others need context. */
const PLAIN = /^(?:0x[0-9a-fA-F]{40}|(?:bc1|tb1|ltc1|addr1|bnb1|cosmos1)[a-z0-9]{25,}|(?:BC1|TB1|LTC1)[A-Z0-9]{25,})$/

export const cryptoWallet: Detector = {
  type: 'crypto_wallet',
  title: 'Crypto wallet address',
  level: 'RESTRICTED',
  check: 'BTC, LTC, ETH, XRP, TRX, DOGE, ADA, XMR: alphabet and length; old addresses of BTC without context: checksum',
  fewestDigits: 1,
  patterns: [
    '0x[0-9a-fA-F]{40}',
    '(bc1|tb1|ltc1|bnb1|cosmos1)[a-z0-9]{25,62}',
    '(BC1|TB1|LTC1)[A-Z0-9]{25,62}',
    'addr1[a-z0-9]{50,100}',
    `[13LMDXTr]${BASE58}{24,34}`,
    `[48]${BASE58}{94}`,
    `[1-9A-HJ-NP-Za-km-z]{43,44}`,
  ],
  context: words(`
    btc, bitcoin, wallet, wallet address, crypto, cryptocurrency, ethereum, eth, litecoin, ltc, dogecoin, doge,
    xrp, ripple, tron, trx, usdt, usdc, solana, sol, monero, xmr, dash, cardano, ada, coins, coin, address,
    send to, deposit, blockchain, satoshi, donate, donation, donations
  `),
  judge(m) {
    if (HASH.test(m.value)) return m.contextBefore() > 0 ? 0.85 : 0
    if (PLAIN.test(m.value)) return isMethodId(m) ? 0 : 0.9
    // `h1:…=` of a list of modules: base64.
    if (m.before(1) === ':' && m.following(1) === '=') return 0
    return m.contextBefore() > 0 && isMixed(m.value)
      ? 0.85
      : isMixed(m.value) &&
          /^[13]/.test(m.value) &&
          m.end - m.start >= 33 &&
          m.end - m.start <= 34 &&
          isChecked(m.value)
        ? 0.55
        : 0
  },
}

/** One of 4,096 hashes begins like an address, whose next sign is the version: `q` or `p` (BIP 173, BIP 350). */
const HASH = /^(?:bc1[\da-f]+|BC1[\dA-F]+)$/

/** Base58Check: 25 bytes, whose last four begin SHA-256 of SHA-256 of the others. Ids of files in Google Drive look alike. */
function isChecked(value: string): boolean {
  let number = 0n
  for (const sign of value) number = number * 58n + BigInt(SIGNS.indexOf(sign))
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex')
  if (bytes.length !== 25) return false
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21))
}

const SIGNS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** Random base 58 has digits, capitals and small letters. */
const isMixed = (value: string): boolean => /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value)

/** The zero address and similar ones have no owner. */
const isMethodId = (m: Candidate): boolean => /^0x(?:0{30,}|f{40}$)/i.test(m.value)
