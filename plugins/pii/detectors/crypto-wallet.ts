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
  check: 'BTC, LTC, ETH, XRP, TRX, DOGE, ADA, XMR: alphabet and length',
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
    if (PLAIN.test(m.value)) return isMethodId(m) ? 0 : 0.9
    // `h1:…=` of a list of modules: base64.
    if (m.before(1) === ':' && m.following(1) === '=') return 0
    return m.contextBefore() > 0 && isMixed(m.value)
      ? 0.85
      : isMixed(m.value) && /^[13]/.test(m.value) && m.end - m.start >= 33 && m.end - m.start <= 34
        ? 0.55
        : 0
  },
}

/** Random base 58 has digits, capitals and small letters. */
const isMixed = (value: string): boolean => /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value)

/** The zero address and similar ones have no owner. */
const isMethodId = (m: Candidate): boolean => /^0x(?:0{30,}|f{40}$)/i.test(m.value)
