import { type Case, type Corpus, embed } from '../corpus.ts'
import * as make from '../data/values.ts'
import { Random, seedOf } from '../random.ts'

const EMAIL = [
  'Write to {} before Friday.',
  'My e-mail is {}.',
  '{}',
  'From: {}\nTo: support\nSubject: invoice',
  '{"user":{"email":"{}","active":true}}',
  '<a href="mailto:{}">mail</a>',
  'Contact: <{}>',
  "INSERT INTO users (email) VALUES ('{}');",
  'Bitte antworten Sie an {}, danke!',
  'Envoyez votre CV à {} svp',
  'user={}&lang=en',
  'cc {}; bcc nobody',
  '[{}](http://example.org/profile)',
  '请发邮件到{}联系我',
  'Reach out ({}) or drop by.',
  '| name | {} |',
  'email:{}',
  '"{}"',
  'Escríbeme a {} cuando puedas.',
  'Ping {}!',
]
/** Where addresses stand beside what may pass for a part of them. */
const EMAIL_BESIDE = [
  '{}–ok',
  '{}—thanks!',
  '{}- ok',
  '{}...',
  '{}.Next sentence',
  "{}'s inbox",
  '{}’s inbox',
  '**{}**',
  '_{}_',
  '`{}`',
  '{}/a@b.co',
  '{};jo@example.org',
  'Jo Doe <{}>',
  '@{}',
  'e:{}',
  '%20{}%20',
  '{\\"email\\":\\"{}\\"}',
  'mail\\n{}\\n',
  'mailto:{}?subject=hello',
  '{}님께 보냈어요',
  'メール：{}まで',
]
const IP = [
  'Client {} connected',
  'The server at {} is down.',
  'ip={}',
  '{}',
  '{"remote_addr":"{}"}',
  'ssh root@{}',
  '[{}]:8080',
  'Failed login from {} port 22',
  'Meine IP-Adresse ist {}.',
  'Address: {}, gateway unknown',
  'ping {} -c 4',
]
const PHONE_CONTEXT = [
  'Call me at {}.',
  'Phone: {}',
  'My number is {}, text me.',
  'tel. {}',
  '{"phone":"{}"}',
  'You can reach us on {} during office hours.',
  'mobile {}',
  'Fax: {}',
  'WhatsApp {} please',
  'Contact number {} or by mail',
  'Telefon: {}',
  'Rufen Sie mich unter {} an.',
  'Appelez-moi au {}.',
  'Mi teléfono es {}.',
  'Il mio numero di telefono è {}',
  'Ligue para {}',
  '電話番号は{}です',
  '<td>Phone</td><td>{}</td>',
  'phone_number={}',
  'Cell {}',
]
const PHONE_BARE = ['{}', 'It is {}, thanks.', 'Maria Gomez, {}, Denver', 'Please use {} from now on.']

export function sentences(
  name: string,
  templates: readonly string[],
  count: number,
  value: (r: Random) => string,
): () => readonly Case[] {
  return () => {
    const r = new Random(seedOf(name))
    return Array.from({ length: count }, () => embed(r.pick(templates), value(r)))
  }
}

const pii = { plugin: 'pii', kind: 'positive' } as const
const countries = Object.keys(make.NATIONAL_PHONES)

export default [
  { ...pii, name: 'email', group: 'email', cases: sentences('email', EMAIL, 600, make.email) },
  {
    ...pii,
    name: 'email, any ending',
    group: 'email',
    cases: sentences('email ending', [...EMAIL, ...EMAIL_BESIDE], 600, make.emailOfAnyEnding),
  },
  {
    ...pii,
    name: 'email, return paths and long labels',
    group: 'email',
    cases: sentences('email machine', EMAIL, 300, make.emailOfMachine),
  },
  { ...pii, name: 'ip v4', group: 'ip', cases: sentences('ip4', IP, 300, make.ipv4) },
  { ...pii, name: 'ip v6', group: 'ip', cases: sentences('ip6', IP, 200, make.ipv6) },
  {
    ...pii,
    name: 'phone, international',
    group: 'phone, international',
    cases: sentences('intl', [...PHONE_CONTEXT, ...PHONE_BARE, ...PHONE_BARE], 600, make.phoneInternational),
  },
  ...countries.map((country) => ({
    ...pii,
    name: `phone, ${country}`,
    group: 'phone, national',
    cases: sentences(`phone ${country}`, [...PHONE_CONTEXT, ...PHONE_BARE], 150, (r) => make.phoneNational(r, country)),
  })),
  {
    ...pii,
    name: 'mac',
    group: 'other kinds, in context',
    cases: sentences(
      'mac',
      ['MAC address {}', 'link/ether {} brd', '{}', 'device {} joined the network', 'hwaddr={}'],
      150,
      make.mac,
    ),
  },
] satisfies Corpus[]
