import type { Case, Corpus } from '../corpus.ts'
import { PARAGRAPHS } from '../data/paragraphs.ts'
import { Random, seedOf } from '../random.ts'

const YEAR = (r: Random): string => String(r.int(1450, 2035))
const SMALL = (r: Random): string => String(r.int(2, 99))
const BIG = (r: Random): string =>
  r.pick([
    String(r.int(1000, 99_999)),
    `${r.int(1, 99)},${r.fill('###')}`,
    `${r.int(1, 9)},${r.fill('###')},${r.fill('###')}`,
    `${r.int(2, 900)} million`,
    `${r.int(10, 999)} ${r.fill('###')}`,
  ])
const PRICE = (r: Random): string =>
  r.pick([
    `$${r.int(1, 999)}.${r.fill('##')}`,
    `€${r.int(1, 9)},${r.fill('###')}`,
    `${r.int(1, 99)},${r.fill('##')} €`,
    `£${r.int(10, 500)}`,
    `US$ ${r.int(1, 99)} million`,
    `¥${r.int(100, 9999)}`,
  ])
const DATE = (r: Random): string =>
  r.pick([
    `${r.int(1, 28)} March ${YEAR(r)}`,
    `July ${r.int(1, 28)}, ${YEAR(r)}`,
    `${YEAR(r)}-0${r.int(1, 9)}-${r.int(10, 28)}`,
    `${r.int(1, 12)}/${r.int(1, 28)}/${r.int(1990, 2030)}`,
    `${r.int(10, 28)}.0${r.int(1, 9)}.${r.int(1990, 2030)}`,
  ])
const TIME = (r: Random): string =>
  r.pick([`${r.int(1, 12)}:${r.fill('3#')} pm`, `${r.int(10, 23)}:${r.int(10, 59)}`, `${r.int(1, 12)} o’clock`])
const NAME = (r: Random): string =>
  r.pick([
    'Ada Lovelace',
    'the committee',
    'Dr. Chen',
    'our neighbour',
    'Lena Hoffmann',
    'President Adams',
    'the museum',
    'Team B',
    'NASA',
    'the Supreme Court',
  ])
const PLACE = (r: Random): string =>
  r.pick([
    'Vienna',
    'Route 66',
    'Lake Michigan',
    'the Main Square',
    'São Paulo',
    'Room 204',
    'Platform 9',
    'the North Sea',
    'Terminal 2',
    'District 9',
    'Wall Street',
    'Tiananmen Square',
  ])
const VERSION = (r: Random): string => `${r.int(1, 20)}.${r.int(0, 30)}.${r.int(0, 40)}`

const SLOTS: Readonly<Record<string, (r: Random) => string>> = {
  YEAR,
  SMALL,
  BIG,
  PRICE,
  DATE,
  TIME,
  NAME,
  PLACE,
  VERSION,
}

/** Sentences full of numbers that are nobody's. */
const SENTENCES = [
  'In YEAR, NAME visited PLACE with SMALL students and BIG books.',
  'The ticket to PLACE costs PRICE and the train leaves at TIME.',
  'About BIG people lived there in YEAR, up from BIG in YEAR.',
  'The meeting on DATE at TIME is moved to PLACE.',
  'Version VERSION was released on DATE and fixes SMALL bugs.',
  'Order SMALL of them for PRICE each, delivery takes SMALL days.',
  'NAME won by SMALL to SMALL at PLACE.',
  'The river is BIG metres long and SMALL metres deep.',
  'Chapter SMALL, page SMALL, says that the treaty of YEAR held for SMALL years.',
  'Bake at SMALL0 degrees for SMALL minutes, then add 250 g of flour and 1.5 l of water.',
  'The share price rose SMALL.5 % to PRICE on DATE.',
  'Between YEAR and YEAR the population grew from BIG to BIG.',
  'Flight LH SMALL0 to PLACE boards at TIME from gate BSMALL.',
  'ISBN 978-3-16-148410-0 is the paperback, first printed in YEAR.',
  'The phone has a 6.SMALL inch screen, 256 GB and costs PRICE.',
  'He looked at the map, then at PLACE, and laughed.',
  'We met at noon, ate at the bar and left at TIME.',
  'The law of DATE, article SMALL (SMALL), paragraph 2, applies to companies with more than BIG employees.',
  'Turn left at PLACE, walk SMALL0 metres and ask at the desk.',
  'The atomic mass is 12.0107 and the boiling point 4,827 °C.',
  'Die Sitzung am DATE um TIME in PLACE dauerte SMALL Minuten und kostete PRICE.',
  'Im Jahr YEAR lebten dort BIG Menschen, SMALL Prozent mehr als YEAR.',
  'Le train de TIME coûte PRICE, soit SMALL % de plus qu’en YEAR.',
  'En YEAR vivían allí BIG personas y SMALL familias.',
  'Nel YEAR il museo accolse BIG visitatori per PRICE.',
  'In YEAR woonden er BIG mensen, van wie SMALL procent boven de 65.',
  'W YEAR roku mieszkało tam BIG osób.',
  'Em YEAR, a cidade tinha BIG habitantes e SMALL escolas.',
  'YEAR年の人口はBIG人でした。',
  '会议于DATE举行，共有SMALL人参加，费用为PRICE。',
  'В YEAR году там жило BIG человек.',
  'Psalm SMALL:SMALL and Genesis SMALL:SMALL are read at TIME.',
  'Highway SMALL closes on DATE between exit SMALL and exit SMALL.',
  'NAME scored SMALL points in SMALL minutes, a record since YEAR.',
  'Call of Duty SMALL sold BIG copies; the call for papers ends on DATE.',
  'The 1996 Summer Drive and the 2010 Supreme Court decision are in chapter SMALL.',
  'Our office hours are TIME to TIME on SMALL days a month.',
  'She is number SMALL in the world and number 1 in PLACE.',
  'The bill of PRICE was paid on DATE with reference to invoice 2024/SMALL.',
  'Model T, built from 1908 to 1927, sold BIG units at PRICE.',
]

function prose(): readonly Case[] {
  const r = new Random(seedOf('prose'))
  const sentence = () =>
    r.pick(SENTENCES).replace(/YEAR|SMALL|BIG|PRICE|DATE|TIME|NAME|PLACE|VERSION/g, (slot) => SLOTS[slot]!(r))
  const made = Array.from({ length: 1200 }, () => Array.from({ length: r.int(1, 4) }, sentence).join(' '))
  return [...made, ...PARAGRAPHS].map((text) => ({ text }))
}

export default [{ name: 'prose', plugin: 'pii', kind: 'harmless', group: 'prose', cases: prose }] satisfies Corpus[]
