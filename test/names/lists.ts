/** Names to make training texts from: of people and places by locale from `@faker-js/faker`, and our own. */
import { allLocales } from '@faker-js/faker'

export type Forms = { generic?: string[]; female?: string[]; male?: string[] } | undefined

export interface Locale {
  readonly given: readonly string[]
  readonly family: readonly string[]
}

/** Kept for the evaluation: the tagger never sees the names of these. */
export const HELD_OUT_LOCALES: readonly string[] = ['hu', 'lv', 'pt_PT', 'nb_NO', 'en_ZA', 'id_ID', 'tr']

export const formsOf = (forms: Forms): string[] => [
  ...(forms?.generic ?? []),
  ...(forms?.female ?? []),
  ...(forms?.male ?? []),
]
const isName = (name: string): boolean => /^\p{Lu}[\p{L}\p{M}'’ -]*$/u.test(name) && name.length > 1

export const locales: Locale[] = []
export const cityNames: string[] = []
export const streets: string[] = []
export const jobs: string[] = []
for (const [code, locale] of Object.entries(allLocales)) {
  if (HELD_OUT_LOCALES.includes(code)) continue
  const given = formsOf(locale.person?.first_name as Forms).filter(isName)
  const family = formsOf(locale.person?.last_name as Forms).filter(isName)
  if (given.length > 20 && family.length > 20) locales.push({ given, family })
  for (const city of locale.location?.city_name ?? []) if (isName(city)) cityNames.push(city)
  for (const street of locale.location?.street_name ?? []) if (isName(street)) streets.push(street)
}
export const EN: Locale = {
  given: formsOf(allLocales.en.person?.first_name as Forms),
  family: formsOf(allLocales.en.person?.last_name as Forms),
}
for (const area of allLocales.en.person?.job_area ?? []) jobs.push(area)

/** Frequent names, so that the common ones are known by heart. */
export const COMMON_GIVEN =
  `James Mary John Robert Patricia Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica
Thomas Sarah Charles Karen Christopher Lisa Daniel Nancy Matthew Betty Anthony Margaret Mark Sandra Donald Ashley Steven Kimberly
Paul Emily Andrew Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Dorothy George Melissa Timothy Deborah Ronald Stephanie
Edward Rebecca Jason Sharon Jeffrey Laura Ryan Cynthia Jacob Kathleen Gary Amy Nicholas Angela Eric Shirley Jonathan Anna Stephen
Brenda Larry Pamela Justin Emma Scott Nicole Brandon Helen Benjamin Samantha Samuel Katherine Gregory Christine Alexander Debra
Frank Rachel Patrick Carolyn Raymond Janet Jack Catherine Dennis Maria Jerry Heather Tyler Diane Aaron Ruth Jose Julie Adam Olivia
Nathan Joyce Henry Virginia Zachary Victoria Douglas Kelly Peter Lauren Kyle Christina Noah Joan Ethan Evelyn Jeremy Judith Walter
Megan Christian Andrea Keith Cheryl Roger Hannah Terry Jacqueline Austin Martha Sean Gloria Gerald Teresa Carl Ann Harold Sara
Dylan Madison Arthur Frances Lawrence Kathryn Jordan Janice Jesse Jean Bryan Abigail Billy Alice Bruce Julia Gabriel Judy Joe
Sophia Logan Grace Alan Denise Juan Amber Albert Doris Willie Marilyn Elijah Danielle Wayne Beverly Randy Isabella Vincent Theresa
Mason Diana Roy Natalie Ralph Brittany Bobby Charlotte Russell Marie Bradley Kayla Philip Alexis Eugene Lori Tom Tim Mike Dave
Steve Jim Bob Bill Dan Chris Matt Nick Alex Sam Ben Ed Fred Greg Jeff Jenny Kate Liz Maggie Mohammed Ahmed Fatima Ali Hassan Omar
Wei Li Ming Hiroshi Yuki Kenji Priya Raj Anil Sunita Rahul Sanjay Ivan Olga Dmitri Natasha Sergei Pedro Carlos Luis Ana Miguel
Sofia Jorge Pierre Marie Jean François Sophie Hans Klaus Jürgen Ingrid Heike Lars Sven Anders Giulia Marco Luca Paolo Jan Piotr`
    .trim()
    .split(/\s+/)
export const COMMON_FAMILY =
  `Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson
Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen
King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips
Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson
Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez
Castillo Sanders Patel Myers Long Ross Foster Jimenez Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes
Fisher Vasquez Simmons Graham Murray Ford Castro Marshall Owens Harrison Fernandez McDonald Woods Washington Kennedy Wells Chen
Singh Khan Kumar Wang Zhang Liu Yang Huang Tanaka Suzuki Sato Ivanov Petrov Müller Schmidt Schneider Fischer Weber Meyer Wagner
Becker Hoffmann Rossi Ferrari Bianchi Dubois Moreau Laurent Kowalski Nowak Jansen De Vries Van Dijk O'Brien O'Connor Silva Santos`
    .trim()
    .split(/\s+/)

const named = (code: string, type: 'region'): string[] => {
  const names = new Intl.DisplayNames([code], { type })
  const out: string[] = []
  for (let a = 65; a <= 90; a++)
    for (let b = 65; b <= 90; b++) {
      const region = String.fromCharCode(a, b)
      const name = names.of(region)
      if (name !== undefined && name !== region && !/Unknown|Unbekannt|Pseudo|[()&]/.test(name)) out.push(name)
    }
  return out
}

export const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  en: [
    ...named('en', 'region'),
    'USA',
    'U.S.',
    'UK',
    'U.K.',
    'England',
    'Scotland',
    'Wales',
    'America',
    'Holland',
    'UAE',
    'EU',
  ],
  de: [...named('de', 'region'), 'USA', 'England', 'Schottland', 'Bayern'],
  fr: named('fr', 'region').filter(isName),
  es: named('es', 'region').filter(isName),
}
export const REGIONS = [
  ...(allLocales.en.location?.state ?? []),
  ...`Europe Asia Africa America Bavaria Saxony Tuscany Sicily Provence Normandy Brittany Catalonia Andalusia Galicia Flanders Wallonia
Yorkshire Kent Devon Cornwall Essex Surrey Ontario Quebec Alberta Manitoba Queensland Victoria Tasmania Punjab Kerala Gujarat Bengal
Siberia Crimea Kurdistan Kashmir Tibet Patagonia Scandinavia Manhattan Brooklyn Queens Bronx Soho Hollywood Harlem Chelsea
Kreuzberg Montmartre Shinjuku Antarctica`.split(/\s+/),
  ...[
    'Silicon Valley',
    'Lake Michigan',
    'New England',
    'Middle East',
    'South America',
    'North America',
    'Eastern Europe',
    'Central Park',
    'Wall Street',
    'Times Square',
    'Mount Everest',
    'Hyde Park',
    'Black Sea',
    'Red Sea',
    'North Sea',
    'Pacific Ocean',
    'Cape Town',
    'Bay Area',
    'West Bank',
    'Gaza Strip',
    'Great Britain',
    'Northern Ireland',
    'New South Wales',
    'British Columbia',
    'Nova Scotia',
    'Baja California',
    'Hong Kong',
    'Puerto Rico',
    'Sri Lanka',
    'Saudi Arabia',
    'Costa Rica',
    'Downing Street',
    'Fifth Avenue',
  ],
]

export const ORGS =
  `Google|Microsoft|Apple|Amazon|Facebook|Meta|Netflix|Twitter|IBM|Intel|AMD|Nvidia|Oracle|SAP|Siemens|Bosch|BMW|Volkswagen|
Daimler|Toyota|Honda|Sony|Samsung|LG|Huawei|Nokia|Ericsson|Cisco|Dell|HP|Walmart|Target|Costco|Tesco|Aldi|Lidl|Carrefour|IKEA|Nike|
Adidas|Puma|Coca-Cola|Pepsi|Nestlé|Unilever|Procter & Gamble|Johnson & Johnson|Pfizer|Novartis|Roche|Bayer|BASF|Merck|Boeing|Airbus|
Lufthansa|Delta|United Airlines|Ryanair|British Airways|Air France|FedEx|UPS|DHL|Deutsche Bank|JPMorgan|Goldman Sachs|Morgan Stanley|
Barclays|HSBC|Citibank|Wells Fargo|Bank of America|Santander|BNP Paribas|UBS|Credit Suisse|Visa|Mastercard|PayPal|Stripe|Airbnb|Uber|
Lyft|Tesla|SpaceX|NASA|FBI|CIA|NSA|FDA|EPA|IRS|NATO|UNESCO|UNICEF|WHO|IMF|OPEC|United Nations|European Union|European Commission|World Bank|
Red Cross|Greenpeace|Amnesty International|Oxfam|Harvard|Yale|Stanford|MIT|Princeton|Cambridge University|University of Oxford|BBC|CNN|
Fox News|NBC|ABC|New York Times|Washington Post|The Guardian|Reuters|Bloomberg|Associated Press|Manchester United|Real Madrid|Chelsea|
Arsenal|Liverpool FC|FC Barcelona|Bayern Munich|Lakers|Yankees|Red Sox|Congress|Senate|House of Commons|Supreme Court|White House|
Democratic Party|Republican Party|Labour Party|Conservative Party|Pentagon|Interpol|Europol|McDonald's|Starbucks|Burger King|KFC|
Salesforce|Adobe|Accenture|Deloitte|KPMG|PwC|McKinsey|Enron|Verizon|AT&T|Vodafone|Deutsche Telekom|Orange|Telefónica|Shell|BP|Exxon|
Total|Gazprom|Foxconn|Alibaba|Tencent|Xerox|Kodak|Zoom|Slack|GitHub|OpenAI|Anthropic|Mozilla|Red Hat|Canonical|Spotify|Zalando|Allianz|
AXA|Generali|State Farm|Blue Cross|Mayo Clinic|Kaiser Permanente|NHS|CVS|Walgreens|Home Depot|Best Buy|eBay|Yahoo|LinkedIn|Pixar|Disney`
    .replace(/\n/g, '')
    .split('|')

export const ORG_NOUNS =
  `Systems|Solutions|Technologies|Software|Labs|Networks|Partners|Consulting|Logistics|Industries|Foods|Motors|Energy|Media|
Pharma|Therapeutics|Biotech|Capital|Ventures|Holdings|Insurance|Financial|Bank|Airlines|Shipping|Traders|Outfitters|Robotics|Analytics|
Dynamics|Electric|Plumbing|Roofing|Bakery|Properties|Realty|Construction|Engineering|Associates|Group|Services|Security|Health|Dental|
Clinic|Studios|Records|Publishing|Press|Books|Hotels|Resorts|Travel|Cafe|Restaurant|Grill|Pizza|Brewing|Farms|Garage|Supplies|Steel|Chemicals`
    .replace(/\n/g, '')
    .split('|')
export const ORG_FIRST =
  `Northwind|Contoso|Acme|Globex|Initech|Umbrella|Stark|Bright|Blue|Silver|Summit|Pioneer|Apex|Vertex|Quantum|Nova|Orion|Atlas|
Zenith|Pinnacle|Evergreen|Liberty|Pacific|Atlantic|Global|United|National|American|First|Royal|Metro|Alpine|Nordic|Iberia|Helix|Lumen|Cobalt|
Crimson|Falcon|Eagle|Phoenix|Harbor|Granite|Cedar|Maple|Redwood|Riverside|Sunrise|Starlight|Horizon|Vanguard|Sterling|Crystal|Delta|Omega|
Sigma|Delphi|Titan|Hudson|Cascade|Prairie|Golden|Green|Clear|True|Swift|Rapid|Smart|Open|Deep|Hyper|Micro|Data|Cloud|Cyber|Info|Tele|Euro`
    .replace(/\n/g, '')
    .split('|')
export const ENDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Inc.',
    'Inc',
    'LLC',
    'Ltd',
    'Ltd.',
    'Corp.',
    'Corporation',
    'Group',
    'plc',
    'PLC',
    'Co.',
    '& Sons',
    '& Co',
    'Company',
    'LLP',
    'Pty Ltd',
    'Limited',
  ],
  de: ['GmbH', 'AG', 'KG', 'GmbH & Co. KG', 'UG', 'OHG', 'e.V.', 'SE'],
  fr: ['SA', 'SARL', 'SAS', 'et Fils', 'SNC'],
  es: ['S.A.', 'S.L.', 'SL', 'SA', 'Hermanos'],
}
export const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  en: [
    'University of {c}',
    '{c} University',
    '{c} General Hospital',
    '{c} City Council',
    'Bank of {c}',
    '{c} Police Department',
    '{c} High School',
    'Ministry of {x}',
    'Department of {x}',
    '{c} Public Library',
    '{c} Chamber of Commerce',
    'St. {g} Hospital',
    '{c} FC',
    '{c} United',
    '{f} Foundation',
    '{f} College',
    '{f} Institute of Technology',
    '{c} Medical Center',
    '{c} School District',
    'Institute of {x}',
    '{c} Museum of Art',
    'Church of {g}',
    '{f} Elementary School',
    '{c} County Court',
    '{c} Times',
    '{c} Post',
    'National {x} Association',
    '{c} Symphony Orchestra',
    '{f} Family Dentistry',
    'Hotel {f}',
    'The {c} Herald',
    '{c} Institute of Technology',
    '{f} Memorial Hospital',
    'Office of {x}',
    'Federal Bureau of {x}',
    '{x} Committee',
  ],
  de: [
    'Universität {c}',
    'Stadtwerke {c}',
    'Klinikum {c}',
    'Sparkasse {c}',
    'FC {c}',
    'Landgericht {c}',
    'Finanzamt {c}',
    'Stadt {c}',
    'Bäckerei {f}',
    'Autohaus {f}',
    '{f}-Stiftung',
    'Technische Universität {c}',
    'Volksbank {c}',
    'SV {c}',
    'Kanzlei {f}',
    'Praxis Dr. {f}',
    'Gymnasium {c}',
  ],
  fr: [
    'Université de {c}',
    'Mairie de {c}',
    'CHU de {c}',
    'Banque de {c}',
    'Lycée {g} {f}',
    'Hôpital {f}',
    'Boulangerie {f}',
    'Cabinet {f}',
    'Ministère de la {x}',
  ],
  es: [
    'Universidad de {c}',
    'Ayuntamiento de {c}',
    'Hospital de {c}',
    'Banco de {c}',
    'Clínica {f}',
    'Colegio {f}',
    'Bufete {f}',
    'Ministerio de {x}',
  ],
}
export const FIELDS: readonly string[] = [
  'Health',
  'Education',
  'Justice',
  'Finance',
  'Defense',
  'Agriculture',
  'Labor',
  'Energy',
  'Transportation',
  'Foreign Affairs',
  'Science',
  'Culture',
  'Housing',
  'Commerce',
  'Environmental Protection',
  'Human Services',
  'Investigation',
  'Statistics',
  'Physics',
  'Justicia',
  'Santé',
]
