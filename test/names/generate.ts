/** Texts from templates, with names of all kinds. */
import type { Random } from '../eval/random.ts'
import type { Kind, Unit } from './corpora.ts'
import type { Names } from './namer.ts'
import * as templates from './templates.ts'

const KIND_OF: Readonly<Record<string, Kind>> = {
  per: 'PER',
  given: 'PER',
  family: 'PER',
  loc: 'LOC',
  city: 'LOC',
  country: 'LOC',
  street: 'LOC',
  org: 'ORG',
}

const words = (text: string): readonly string[] => text.trim().split('|')
const MONTHS = words('January|February|March|April|May|June|July|August|September|October|November|December')
const DAYS = words('Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday')
const TECH = words(
  'Python|Java|JavaScript|TypeScript|Rust|Docker|Kubernetes|Linux|Windows|Ubuntu|React|Angular|Vue|Node.js|PostgreSQL|MySQL|Redis|Kafka|Git|Excel|Word|PowerPoint|Photoshop|Android|Jira|Confluence|Outlook|Gmail|Chrome|Firefox|Terraform|Ansible|Jenkins|Spark|Hadoop|Django|Flask|Spring|Swift|Kotlin|Go|Ruby|Rails|PHP|Perl|Scala|Bash|Vim|Emacs|GraphQL|Pandas|TensorFlow|PyTorch',
)
const LANGUAGES = words(
  'English|German|French|Spanish|Italian|Dutch|Chinese|Japanese|Arabic|Hindi|Russian|Polish|Turkish|Greek|Portuguese|Swedish|American|British|Indian|Mexican|Canadian|African|European|Asian|Jewish|Roman|Irish|Scottish',
)
const HEADS = words(
  'Quarterly Report|Next Steps|Project Plan|Budget|Annual Review|Release Notes|Getting Started|Introduction|Summary|Risk Assessment|Purchase Order|Marketing Strategy|Sales Forecast|Data Protection Policy|User Guide|Code Review|Business Case|Meeting Minutes|Travel Expenses|Job Description|Service Level Agreement|Key Findings|Open Questions|Background|Conclusion|Customer Feedback|Invoice|Contract Draft|Time Sheet|Privacy Notice|Onboarding Checklist|Incident Report|Exit Interview|Test Results|Action Items|Design Document',
)
const PRODUCTS = words(
  'iPhone|MacBook Pro|Galaxy S21|ThinkPad|Kindle|PlayStation|Xbox|Surface Laptop|Roomba|AirPods|Model S|Corolla|Golf|Civic|Walkman|Nespresso|Echo Dot|Fire Stick|Pixel|Office|Bluetooth Speaker|Deluxe Blender|Espresso Machine|Smart Watch|Gaming Chair|Water Bottle|Coffee Maker|Premium Plan|Gift Card|Starter Kit|Garden Hose',
)
const JOBS = words(
  'Software Engineer|Project Manager|Chief Executive Officer|CEO|CFO|Sales Manager|Head of Marketing|Accountant|Nurse|Teacher|Data Scientist|Product Owner|Consultant|Director|Vice President|President|Analyst|Receptionist|Lawyer|Chef|Designer|Driver|HR Manager|Team Lead|Managing Director|Chairman|Coach|Editor|Professor|Senior Developer',
)
const QUOTES = words(
  'We are happy|This is a good day|I did not know|It will take time|The talks failed|Nobody was hurt',
)

export function generated(names: Names, random: Random, times: number): Unit[] {
  const units: Unit[] = []
  const sets = [
    { language: 'en', lines: templates.EN, times: 5 },
    { language: 'en', lines: templates.PLAIN, times: 3 },
    { language: 'de', lines: templates.DE, times: 5 },
    { language: 'de', lines: templates.DE_PLAIN, times: 3 },
    { language: 'fr', lines: templates.FR, times: 6 },
    { language: 'es', lines: templates.ES, times: 6 },
  ]
  for (const set of sets)
    for (let i = 0; i < set.times * times; i++)
      for (const line of set.lines) units.push(fill(line, set.language, names, random))
  return joinSome(units, random)
}

/** Puts some texts behind others, so that not all begin a text. */
function joinSome(units: readonly Unit[], random: Random): Unit[] {
  const out: Unit[] = []
  for (const unit of units) {
    const last = out.at(-1)
    if (last === undefined || last.text.length > 600 || random.chance(0.6)) {
      out.push(unit)
      continue
    }
    const other = out[random.int(0, out.length - 1)]!
    const lead = `${other.text.slice(0, 300)}${random.pick([' ', '\n', '\n\n', ' '])}`
    out.push({
      text: lead + unit.text,
      spans: [
        ...other.spans.filter(({ end }) => end <= 300),
        ...unit.spans.map(({ start, end, kind }) => ({ start: start + lead.length, end: end + lead.length, kind })),
      ],
    })
  }
  return out
}

function fill(template: string, language: string, names: Names, random: Random): Unit {
  let text = ''
  const spans: { start: number; end: number; kind: Kind }[] = []
  for (const piece of template.split(/(\{\w+\})/)) {
    const slot = /^\{(\w+)\}$/.exec(piece)?.[1]
    if (slot === undefined) {
      text += piece
      continue
    }
    const value = wordFor(slot, language, names, random)
    const kind = KIND_OF[slot]
    if (kind !== undefined) spans.push({ start: text.length, end: text.length + value.length, kind })
    text += value
  }
  return { text, spans }
}

function wordFor(slot: string, language: string, names: Names, r: Random): string {
  switch (slot) {
    case 'per':
      return r.chance(0.88)
        ? names.person(language)
        : r.chance(0.5)
          ? names.person(language).toUpperCase()
          : names.given(language)
    case 'given':
      return names.given(language)
    case 'family':
      return names.family(language)
    case 'loc':
      return names.place(language)
    case 'city':
      return names.city()
    case 'country':
      return names.country(language)
    case 'street':
      return names.street(language)
    case 'org':
      return names.org(language)
    case 'Month':
      return r.pick(MONTHS)
    case 'Day':
      return r.pick(DAYS)
    case 'Tech':
      return r.pick(TECH)
    case 'Lang':
      return r.pick(LANGUAGES)
    case 'Head':
      return r.pick(HEADS)
    case 'Product':
      return r.pick(PRODUCTS)
    case 'Job':
      return r.pick(JOBS)
    case 'job':
      return r.pick(JOBS).toLowerCase()
    case 'Quote':
      return r.pick(QUOTES)
    case 'date':
      return r.pick([
        `${r.int(1, 28)} ${r.pick(MONTHS)} ${r.int(1950, 2026)}`,
        `${r.pick(MONTHS)} ${r.int(1, 28)}, ${r.int(1950, 2026)}`,
        r.fill('19##-0X-1#'),
        r.fill('1#.0X.20##'),
        r.fill('0X/1#/19##'),
      ])
    case 'time':
      return r.fill('1#:3#')
    case 'year':
      return String(r.int(1950, 2026))
    case 'age':
      return String(r.int(3, 95))
    case 'n':
      return String(r.int(1, 400))
    case 'id':
      return r.fill(r.pick(['#####', 'AA-####', '#A##-####']))
    case 'money':
      return r.fill(r.pick(['$#,###', '€##.##', '$# million']))
    case 'phone':
      return r.fill(r.pick(['+1 ### ### ####', '0## #######', '(###) ###-####']))
    case 'email':
      return r.fill(r.pick(['aaaa@aaaaa.com', 'a.aaaaa@example.org']))
    case 'handle':
      return r.fill('aaaaa##')
    default:
      throw new Error(`no values for {${slot}}`)
  }
}
