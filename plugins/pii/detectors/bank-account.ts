import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const DATE = /^(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d$/

export const bankAccount: Detector = {
  type: 'bank_account',
  title: 'Bank account number',
  level: 'RESTRICTED',
  check: 'digits in context',
  onlyInContext: true,
  patterns: ['\\d{6,20}', '\\d{2,6}([ \\-]\\d{2,10}){1,4}', '\\d{4}\\.\\d{2}\\.?\\d{5}'],
  context: words(`
    account number, account no, account nr, account num, acct, acct number, acct no, acc no, acc number,
    bank account, checking account, savings account, account #, a/c, a/c no, bank acct, kontonummer, kontonr,
    konto, numéro de compte, compte bancaire, compte, número de cuenta, cuenta bancaria, cuenta, conto corrente,
    numero di conto, conta, número da conta, rekeningnummer, sort code, ccc,
    código cuenta cliente, código cuenta corriente, cuenta corriente, konto nr, bankkonto, bankkontonummer, kontonummer,
    bankrekening, bank account number
  `),
  judge(m) {
    if (m.digitCount < 6 || m.digitCount > 20 || m.isJoined || DATE.test(m.value)) return 0
    const near = m.contextBefore()
    return near > 0.7 ? 0.5 + near * 0.25 : 0
  },
}
