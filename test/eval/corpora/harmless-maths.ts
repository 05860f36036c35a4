import type { Case, Corpus } from '../corpus.ts'
import { Random, seedOf } from '../random.ts'

const big = (r: Random): number => r.int(100, 99_999_999)
const TASKS: readonly ((r: Random) => string)[] = [
  (r) => `What is ${big(r)} + ${big(r)}? It is ${big(r)}.`,
  (r) =>
    `${r.int(2, 99)} × ${r.int(2, 99)} = ${r.int(100, 9801)}, so ${r.int(2, 99)} × ${r.int(2, 99)} − ${r.int(2, 99)} = ${r.int(100, 9801)}.`,
  (r) =>
    `Tom has ${r.int(2, 40)} apples and gives away ${r.int(1, 9)}/${r.int(10, 20)} of them. How many are left after ${r.int(2, 9)} days?`,
  (r) => `Compute the sum 1 + 2 + 3 + ... + ${r.int(50, 5000)} = ${r.int(1000, 12_502_500)}.`,
  (r) =>
    `\\frac{${r.int(1, 99)}}{${r.int(2, 99)}} + \\sqrt{${r.int(2, 999)}} \\approx ${r.int(1, 99)}.${r.fill('########')}`,
  (r) =>
    `Let A = [[${r.int(-9, 9)}, ${r.int(-9, 9)}], [${r.int(-9, 9)}, ${r.int(-9, 9)}]] and b = (${r.int(1, 9)}, ${r.int(1, 9)})^T. Then det A = ${r.int(-99, 99)}.`,
  (r) =>
    `pi is 3.14159265358979, e is 2.71828182845905, and their product is ${r.int(8, 9)}.${r.fill('##############')}.`,
  (r) => `The sequence ${Array.from({ length: 12 }, () => r.int(1, 9999)).join(', ')} has ${r.int(1, 12)} odd terms.`,
  (r) =>
    `She is ${r.int(5, 80)} years old; in ${r.int(2, 20)} years she will be twice as old as her brother, who is ${r.int(2, 40)} years old now.`,
  (r) => `${big(r)} mod ${r.int(2, 97)} = ${r.int(0, 96)}; gcd(${big(r)}, ${big(r)}) = ${r.int(1, 12)}.`,
  (r) =>
    `A car drives ${r.int(10, 900)} km in ${r.int(1, 9)} h ${r.int(10, 59)} min, that is ${r.int(20, 130)}.${r.fill('##')} km/h. It needs <<${r.int(10, 99)}*${r.int(2, 9)}=${r.int(100, 900)}>>${r.int(100, 900)} litres.`,
  (r) =>
    `Points (${r.int(-90, 90)}.${r.fill('##')}, ${r.int(-90, 90)}.${r.fill('##')}) and (${r.int(-9, 9)}, ${r.int(-9, 9)}) lie on y = ${r.int(2, 9)}x + ${r.int(1, 9)}.`,
  (r) => `2^${r.int(10, 40)} = ${r.fill('X#########')}, 10! = 3628800, 20! = 2432902008176640000.`,
  (r) =>
    `P(X > ${r.int(1, 9)}) = 0.${r.fill('####')}, E[X] = ${r.int(1, 9)}.${r.fill('###')}, n = ${r.int(10, 5000)}, z = 1.96.`,
  (r) =>
    `Round ${r.int(1, 999)}.${r.fill('#####')} to two decimals; write ${r.fill('X####')} in base 2: ${Array.from({ length: 12 }, () => r.int(0, 1)).join('')}.`,
  (r) => `Convert ${r.int(100, 9000)} cm to m, ${r.int(10, 99)} °C to °F and ${r.fill('X ###')} g to kg.`,
  (r) =>
    `| x | ${r.int(1, 9)} | ${r.int(10, 99)} | ${r.int(100, 999)} |\n|---|---|---|---|\n| f(x) | ${big(r)} | ${big(r)} | ${big(r)} |`,
  (r) =>
    `${r.int(100, 999)} 000 000 people × ${r.int(2, 90)} € = ${r.int(1, 99)} ${r.fill('###')} ${r.fill('###')} ${r.fill('###')} €`,
]

function maths(): readonly Case[] {
  const r = new Random(seedOf('maths'))
  return Array.from({ length: 900 }, () => ({
    text: Array.from({ length: r.int(1, 3) }, () => r.pick(TASKS)(r)).join('\n'),
  }))
}

export default [{ name: 'maths', plugin: 'pii', kind: 'harmless', group: 'maths', cases: maths }] satisfies Corpus[]
