/** Whole addresses as people write them in ten countries, mostly without a word that announces one; titles and ages. */
import { type Corpus, embed } from '../corpus.ts'

const ADDRESSES = `
4512 Willow Creek Drive, Apt 3B, Austin, TX 78704
742 Evergreen Terrace, Springfield, IL 62704
1600 Amphitheatre Pkwy, Mountain View, CA 94043, USA
350 Fifth Avenue, 34th Floor, New York, NY 10118
77 Massachusetts Ave, Cambridge, MA
2200 N Lake Shore Dr Unit 1504, Chicago IL 60614
PO Box 1234, Boise, ID 83701
1 Infinite Loop, Cupertino, CA 95014
8905 W 123rd Ct, Overland Park, Kansas 66213
15 Old Mill Rd
9 Kirkgate, Leeds LS1 6BY
Flat 2, 14 Marlborough Road, Bristol BS8 2LR
27 The Avenue, Cardiff CF10 3AE
221B Baker Street, London NW1 6XE, United Kingdom
Rose Cottage, 3 Church Lane, Little Snoring, Norfolk NR21 0HJ
56 High Street, Edinburgh, EH1 1TB
Unit 7, 120 Station Approach, Guildford, GU1 4SX
Hauptstraße 12, 80331 München
Am Alten Markt 5, 14467 Potsdam
Lindenallee 33a, 20259 Hamburg, Deutschland
Karl-Marx-Str. 101, 12043 Berlin
An der Alster 4
Königsallee 92a, D-40212 Düsseldorf
Rosenweg 7, 4053 Basel
12 rue de la République, 69002 Lyon
45 bis avenue Victor Hugo, 75116 Paris, France
8 place Bellecour, 69002 Lyon
23, boulevard Saint-Michel, 75005 Paris
3 impasse des Lilas, 31000 Toulouse
Calle de Alcalá 45, 3º B, 28014 Madrid
Avenida Diagonal, 405, 08008 Barcelona
C/ Mayor, 12, 2º izquierda, 41001 Sevilla
Paseo de la Castellana 200, Madrid
Plaza Mayor nº 3, 37002 Salamanca
Via Garibaldi 12, 20121 Milano MI
Corso Vittorio Emanuele II, 154, 10121 Torino
Piazza San Marco, 1, 30124 Venezia
Via dei Condotti 8, 00187 Roma, Italia
Keizersgracht 174, 1016 DW Amsterdam
Dorpsstraat 15, 3511 AB Utrecht
Prins Hendrikkade 33-2, 1012 TM Amsterdam
Lange Nieuwstraat 102, Utrecht
1250 René-Lévesque Blvd W, Montréal, QC H3B 4W8
88 Queens Quay W, Suite 2500, Toronto, ON M5J 0B8
4567 Maple Grove Crescent, Vancouver BC V6K 2G8
10 Wellington St, Ottawa, Ontario K1A 0A9
12 Collins Street, Melbourne VIC 3000
Unit 5/88 George St, Parramatta NSW 2150
34 Kangaroo Point Rd, Sylvania NSW 2224, Australia
7 Banksia Close, Fremantle, WA 6160
Flat No. 302, Sai Residency, MG Road, Bengaluru 560001
12, Gandhi Nagar, Jaipur, Rajasthan 302015
B-45, Sector 62, Noida, Uttar Pradesh 201301
221/3, Anna Salai, Chennai - 600002
Plot No. 15, Banjara Hills, Hyderabad, Telangana 500034`
  .trim()
  .split('\n')

const SENTENCES = [
  'The parcel goes to {} tomorrow.',
  '{}',
  'Address: {}',
  '{"street":"{}"}',
  'We met near {}, I think.',
]

const TITLED = [
  'Mr. Alvarez',
  'Mrs Whitcombe',
  'Ms. Okonjo',
  'Dr. Lindqvist',
  'Prof. Marchetti',
  'Herr Brandstetter',
  'Frau Kolb',
  'Mme Garnier',
  'Sra. Ibáñez',
]
const AROUND = [
  'I have an appointment with {} at noon.',
  'Please tell {} that we are late.',
  'Yesterday {} called twice.',
  'cc: {}',
  '{} has signed the form.',
]

const AGES = [
  'She is 34 years old.',
  'Patient, 71 y/o, male',
  'Age: 52',
  'aged 19',
  'My 8-year-old son',
  'Er ist 45 Jahre alt.',
  'Alter: 63',
  'Tiene 29 años de edad.',
  '{"age": 41}',
  'Edad: 37',
  'a 23 year old woman',
  'I am 66 years old and retired.',
]

const pii = { plugin: 'pii', kind: 'positive' } as const

export default [
  {
    ...pii,
    name: 'whole addresses',
    group: 'street addresses',
    cases: () => ADDRESSES.flatMap((address) => SENTENCES.map((sentence) => embed(sentence, address))),
  },
  {
    ...pii,
    name: 'titles',
    group: 'titles and ages',
    options: { names: 'all' },
    cases: () => TITLED.flatMap((name) => AROUND.map((sentence) => embed(sentence, name))),
  },
  {
    ...pii,
    name: 'ages',
    group: 'titles and ages',
    detectOnly: true,
    cases: () =>
      AGES.map((text) => {
        const start = text.search(/\d/)
        return { text, values: [{ start, end: start + /\d+/.exec(text)![0].length }] }
      }),
  },
] satisfies Corpus[]
