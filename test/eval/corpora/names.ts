/** Names that the tagger never saw in its training, in sentences that are none of its templates. */
import type { Case, Corpus } from '../corpus.ts'
import { Random, seedOf } from '../random.ts'

const list = (text: string): readonly string[] => text.trim().split(/\s*[|\n]\s*/)

const GIVEN =
  list(`Zsófia|Bence|Ilze|Kaspars|Tiago|Mafalda|Øyvind|Solveig|Thandeka|Sipho|Wulandari|Bayu|Emre|Elif|Caoimhe|Rohan|Meera|Dwayne|
Latoya|Kwame|Nkechi|Bjarne|Oksana|Ruslan|Marisol|Thiago|Aroha|Callum|Bronwyn|Gustavo|Hye-jin|Minh|Giselle|Oscar|Nadia|Patrick|Erin|Helen|Diego|Ana`)
const FAMILY =
  list(`Szilágyi|Kovács|Ozoliņš|Bērziņš|Figueiredo|Carvalho|Haugland|Nygård|Mokoena|Dlamini|Setiawan|Hidayat|Yıldırım|Demirtaş|Ó Briain|
Deshpande|Banerjee|Whitlock|Beaumont|Asante|Okonkwo|Thorsen|Kravchenko|Valdivia|Moreira|Ngata|Fairweather|Llewellyn|Zamora|Pham|Cartwright|Novak|
Ashworth|Bhatt|Lindgren|Castellanos|Drummond|Faulkner|Haverford|Kessler`)
const CITIES =
  list(`Leeds|Tucson|Bratislava|Chennai|Nairobi|Valparaíso|Gdańsk|Rotterdam|Osaka|Perth|Halifax|Bristol|Graz|Toulouse|Bilbao|Porto|Tampere|
Aarhus|Kraków|Izmir|Lagos|Accra|Medellín|Guadalajara|Sacramento|Omaha|Boise|Duluth|Ljubljana|Plovdiv|Hyderabad|Da Nang|Wellington|Cork|Swansea|Brno`)
const COUNTRIES = list(
  `Norway|Portugal|Kenya|Vietnam|Chile|New Zealand|Poland|Morocco|South Korea|Canada|Ireland|Peru|Thailand|Croatia|Ghana|Germany`,
)
const ORGS =
  list(`Halvorsen Marine AS|Brightwater Analytics|Kestrel Insurance|Meridian Freight Ltd|Tallgrass Credit Union|University of Leeds|
Saint Brigid Hospital|Oakhurst Primary School|Lindqvist & Partners|Veldkamp Logistics|Copperfield Bakery|Novatek Labs|Siemens|Unilever|Vodafone|
Ministry of Transport|Greenfield Dental Clinic|Redstone Capital|Harrow & Finch LLP|Pinecrest Realty|Baltic Timber Group|Mercy General Hospital|
Tucson Police Department|Ravenna Textiles|Orbital Robotics Inc.|Bank of Portugal|Deloitte|Airbus|World Health Organization|Stadtwerke Graz GmbH`)

const SLOT: Readonly<Record<string, (r: Random) => string>> = {
  P: (r) => `${r.pick(GIVEN)} ${r.pick(FAMILY)}`,
  G: (r) => r.pick(GIVEN),
  F: (r) => r.pick(FAMILY),
  C: (r) => r.pick(CITIES),
  N: (r) => r.pick(COUNTRIES),
  O: (r) => r.pick(ORGS),
}
const KIND: Readonly<Record<string, string>> = {
  P: 'person',
  G: 'person',
  F: 'person',
  C: 'place',
  N: 'place',
  O: 'organisation',
}

const SENTENCES = list(`
Could you remind [P] that the visa for [N] runs out next week?
Good afternoon [G], I forwarded your question to [P] in accounting.
Hello team, [G] is off sick today and [G] covers the desk.
After the merger, [O] closed its plant in [C] and moved to [N].
Write a polite reply to [P], who complained about the noise.
The nurse noted that Mrs [F] had not slept.
Subject: keys for the flat\\n\\nHi [G],\\nI left them with [G] at the reception.\\nSpeak soon\\n[G]
client_name: [P]\\nbranch: [C]\\nemployer: [O]
{"contact":{"given":"[G]","family":"[F]"},"site":"[C]","vendor":"[O]"}
{"speaker":"[P]","text":"We land in [C] at noon."}
Minutes: [P] (chair), [P], [P]. Apologies: [G].
[P] started at [O] as a trainee and left for [O] two years later.
We spent the summer in [C] and the winter in [N].
My sister [G] teaches maths in [C].
My landlord, Mr [F], refuses to fix the boiler.
Please book a table for [G] and me near the station in [C].
I was treated at [O] by Dr [F] in March.
Is it true that [O] will buy [O]?
Statement of [P]: I saw the van turn left.
Customer [P] from [C] returned the kettle.
Yours,\\n[P]\\nBranch manager, [O]
[G], can you check what [O] charged us?
I bought the boots at a shop in [C], they were made in [N].
Her uncle [P] owns a farm outside [C].
The parcel for [P] is stuck at customs in [N].
Ticket 4711 was opened by [P] and is assigned to [G].
Yesterday [F] told the board of [O] that he would step down.
Greetings from [C]! [G] and [G] send their love.
The lawyer for [P], [P], declined to comment.
Summarise the call between [P] and the adviser from [O].`).map((line) => line.replaceAll('\\n', '\n'))

function cases(kind: string, seed: string, count: number): readonly Case[] {
  const r = new Random(seedOf(seed))
  const out: Case[] = []
  while (out.length < count) {
    let text = ''
    const values: { start: number; end: number }[] = []
    for (const piece of r.pick(SENTENCES).split(/(\[[PGFCNO]\])/)) {
      const slot = /^\[(\w)\]$/.exec(piece)?.[1]
      const value = slot === undefined ? piece : SLOT[slot]!(r)
      if (slot !== undefined && KIND[slot] === kind)
        values.push({ start: text.length, end: text.length + value.length })
      text += value
    }
    if (values.length > 0) out.push({ text, values })
  }
  return out
}

const all = { plugin: 'pii', kind: 'positive', options: { names: 'all' } } as const

/** Where only private names count. */
const PRIVATE = list(`
Hi [P],\\nthe contract is ready.
Dear [G], please find the invoice attached.
My name is [P] and my order is late.
I'm [G], I wrote to you last week.
Our customer [P] wants a refund.
My brother [G] needs a new password.
Patient: [P]\\nWard: 7
Full name: [P]
{"customer_name":"[P]","plan":"basic"}
{"first_name":"[G]","last_name":"[F]"}
From: [P]\\nTo: [P]\\nSubject: hello
The report is late.\\n\\nKind regards,\\n[P]
Thanks,\\n[G]
Please call Mrs [F] back before noon.
Sehr geehrte Frau [F], vielen Dank.
Ich heiße [P] und brauche Hilfe.
Je m'appelle [P].
Me llamo [P] y tengo una pregunta.
Attendees: [P], [P], [P]`).map((line) => line.replaceAll('\\n', '\n'))

function privateCases(): readonly Case[] {
  const r = new Random(seedOf('private names'))
  return Array.from({ length: 300 }, () => {
    let text = ''
    const values: { start: number; end: number }[] = []
    for (const piece of r.pick(PRIVATE).split(/(\[[PGF]\])/)) {
      const slot = /^\[(\w)\]$/.exec(piece)?.[1]
      const value = slot === undefined ? piece : SLOT[slot]!(r)
      if (slot !== undefined) values.push({ start: text.length, end: text.length + value.length })
      text += value
    }
    return { text, values }
  })
}

const PUBLIC = list(`
Who was the first president of the United States, and when did George Washington die?
Albert Einstein was born in Ulm in 1879 and published the theory of relativity in 1905.
Compare the novels of Jane Austen with those of Charlotte Brontë.
Angela Merkel was chancellor of Germany until December 2021, when Olaf Scholz took over.
What did Steve Jobs announce in 2007?
Taylor Swift and Beyoncé both won Grammys that night.
The paintings of Frida Kahlo hang in Mexico City.
Explain the philosophy of Immanuel Kant in two sentences.
Marie Curie shared the prize with Pierre Curie and Henri Becquerel.
In 1969 Neil Armstrong walked on the moon while Michael Collins stayed in orbit.
Write a short poem in the style of Emily Dickinson.
Did Shakespeare write Hamlet before Macbeth?
Nelson Mandela became president of South Africa in 1994.
The directors Akira Kurosawa and Ingmar Bergman admired each other.
Lionel Messi moved from Barcelona to Paris and later to Miami.
Summarise the plot of Don Quixote by Miguel de Cervantes.
Which of the songs on Abbey Road did George Harrison write?
Ada Lovelace worked with Charles Babbage on the Analytical Engine.`)

/** Capitalised words that are no names. */
const NO_NAMES = list(`
The Quarterly Report is due on Monday, the Budget on Friday.
Use Docker and Kubernetes with PostgreSQL, then run the Tests again.
## Getting Started\\n\\n- Install the Package\\n- Run the Server
Error: Connection Refused. Retry Later.
Press Save As, choose Documents, and click OK.
In January the Internet was slow, but Wi-Fi and Bluetooth worked.
What Is the Best Way to Learn Python in Thirty Days?
Bitte senden Sie die Rechnung an die Buchhaltung und den Vertrag an die Abteilung.
Der Hund lief durch den Garten, und die Katze schlief auf dem Sofa.
SELECT name FROM users WHERE status = 'Active' ORDER BY Created DESC
Chapter Two: Methods. Table 3 lists the Results, Figure 4 the Errors.
Monday, Tuesday and Wednesday are free; Thursday and Friday are not.
Le rapport est prêt. Merci de répondre avant vendredi.
El informe está listo. Gracias por su ayuda.
{"status":"Pending","type":"Invoice","priority":"High","tags":["Urgent","Billing"]}
Thank You For Your Purchase! Your Order Has Shipped.
I think the Senior Engineer and the Product Owner should talk about the Roadmap.
Does TypeScript compile to JavaScript? Yes, and React uses JSX.
To Do: Buy Milk, Call the Plumber, Pay the Rent
Happy New Year and Merry Christmas to everyone!`).map((line) => line.replaceAll('\\n', '\n'))

/** What files, schemas and tables call by the words that forms have for persons. */
const THINGS = `
jobs:\\n  release:\\n    name: Publish to Registry\\n    steps:\\n      - name: Check out Sources\\n      - name: Install Packages\\n        run: npm ci
- name: Copy Templates\\n  template: src=a dest=b\\n- name: Restart Postgres\\n  service: name=postgresql state=restarted
{"info":{"name":"Payment API"},"item":[{"name":"Create Refund"},{"name":"List Invoices"}]}
{"configurations":[{"name":"Attach to Process","type":"node"},{"name":"Run Current File","type":"python"}]}
{"headers":[{"name":"Authorization","value":"x"},{"name":"Cookie","value":"y"},{"name":"Origin","value":"z"}]}
<project><name>Inventory Service</name><url>https://example.org</url></project>
name: Nightly Tests\\non: schedule
struct Account {\\n    owner: String,\\n    name: Option<String>,\\n}
data class Order(val customer: Customer, val name: String)
type Query {\\n  user(id: ID!): User\\n  owner: Owner!\\n  name: String!\\n}
fun rename(name: String, owner: User): Boolean
const Patient = define({ name: DataTypes.TEXT, customer: Schema.String })
{"username":"Nutzername","first_name":"Vorname","customer":"Kunde","owner":"Besitzer"}
| Name | Default | Description |\\n|---|---|---|\\n| Timeout | 30 | Seconds |
| Name | Amount |\\n|---|---|\\n| Total | 3 |
Name: N/A\\nContact: N/A
Name: Unknown\\nOwner: Default
Owner: Platform Team\\nContact: Helpdesk\\nReporter: Support
Kind regards,\\nThe Billing Team
Viele Grüße\\nIhr Support-Team
Best,\\nMarketing
{"name":"Premium Plan","price":9}
metadata:\\n  name: Ingress Controller`
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\n', '\n'))

const texts = (lines: readonly string[]) => () => lines.map((text) => ({ text }))

export default [
  { ...all, name: 'persons', group: 'names of persons', cases: () => cases('person', 'persons', 400) },
  { ...all, name: 'places', group: 'names of places', cases: () => cases('place', 'places', 300) },
  {
    ...all,
    name: 'organisations',
    group: 'names of organisations',
    cases: () => cases('organisation', 'organisations', 300),
  },
  { ...all, name: 'private persons', group: 'private names', options: { names: 'personal' }, cases: privateCases },
  {
    name: 'public figures',
    plugin: 'pii',
    kind: 'harmless',
    group: 'public figures',
    options: { names: 'personal' },
    cases: texts(PUBLIC),
  },
  {
    name: 'no names',
    plugin: 'pii',
    kind: 'harmless',
    group: 'no names',
    options: { names: 'all' },
    cases: texts(NO_NAMES),
  },
  {
    name: 'names of things',
    plugin: 'pii',
    kind: 'harmless',
    group: 'names of things',
    options: { names: 'personal' },
    cases: texts(THINGS),
  },
] satisfies Corpus[]
