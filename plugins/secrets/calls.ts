/** Calls that take a credential as an argument. One row for each argument that is one. */
import type { LabelWord } from './labels.ts'
import { NEXT, row, WRAPPED } from './rows.ts'

/** Before an argument: another one that is no text. */
const NO_TEXT = '(?:[$@\\w][\\w.$:>()-]{0,60}\\s{0,4},\\s{0,24})'
const QUOTE = `(?=["'])`

const USER = `["'\`]?[^\\s:"'\`@/]{1,40}:(?=[^\\s"'\`@/])`
const DSN = [
  ...row('password', 'sql.op·en(|gorm.op·en(|mysql.op·en(', `\\s{0,24}(?:${NEXT})?${USER}`, /^@(?:tcp|unix)\(/),
  ...row('password', 'dsn|base_·url|sql_·url', `["']?\\s{0,4}(?::?=|:)\\s{0,4}${USER}`, /^@(?:tcp|unix)\(/),
].map((label): LabelWord => ({ ...label, until: '@'.charCodeAt(0) }))

/** `after` leads from the end of the word to the value; it may end at an opening quote. */
export const CALLS: readonly LabelWord[] = [
  // The second argument.
  ...row(
    'password',
    'ba·sicauth|basi·c_auth|passwo·rdcredentials|passwo·rdcredential|pscredential|networ·kcredential|wifi·.begin|plai·nauthenticator|passwor·dauthentication|diges·tauth',
    `\\s?\\(?\\s{0,24}${NEXT}${WRAPPED}`,
  ),
  ...row('password', 'aut·h=(|aut·h = (', `\\s{0,24}${NEXT}(?=["'])`),
  ...row('token', 'a·wscredentials|j·wt.sign|j·wt.verify|j·wt.encode|j·wt.decode', `\\(\\s{0,24}${NEXT}${WRAPPED}`),
  ...row('token', 'j·wt.sign|j·wt.encode', `\\(\\s{0,24}\\{[^}]{0,100}\\}\\s{0,4},\\s{0,24}${WRAPPED}`),
  ...row('token', 'p·gp_sym_encrypt|p·gp_sym_decrypt', `(?:_bytea)?\\(\\s{0,24}${NEXT}${WRAPPED}`),
  ...row('password', 'db.a·uth(|cre·dentials = (|cre·dentials=(', `\\s{0,24}${NEXT}(?=["'])`),
  // The third.
  ...row(
    'password',
    'ge·tconnection|mys·qli_connect|new ·pdo|new mys·qli|directo·ryentry',
    `\\(\\s{0,24}${NEXT}${NEXT}${WRAPPED}`,
  ),
  // The only one.
  ...row(
    'token',
    'beare·r_auth|beare·rauth|hmacshake·yfor|securit·ykey|ke·ycredential|secr·etkeyspec',
    `\\(\\s{0,24}${WRAPPED}`,
  ),
  ...row('password', 'conve·rtto-securestring', '[ \\t](?:-(?:string|asplaintext|force)[ \\t]){0,3}(?=[^\\s$(@<-])'),
  // Clients of services whose key is an argument and has no format.
  ...row('token', 'algoli·asearch|algoli·aclient', `\\(\\s{0,24}${NEXT}(?=["'])`),
  ...row(
    'token',
    'shod·an.shodan|pyo·wm.owm|finn·hub.client|newsap·iclient|telebo·t.telebot',
    `\\(\\s{0,24}(?:api_?key\\s?=\\s?)?(?=["'])`,
  ),
  // Of any service: `from acme import Client`.
  ...row('service', 'client(', `\\s{0,24}(?=["'])`),
  // Codes and tokens that a key signs.
  ...row(
    'token',
    'signe·dstring(|hm·ac256(|hm·ac384(|hm·ac512(|hmacs·ha1(|hmacs·ha256(|hmacs·ha512(',
    `\\s{0,24}${WRAPPED}`,
  ),
  ...row(
    'token',
    'hma·c.new(',
    `\\s{0,24}(?:sha\\w{1,6}\\.new\\w{0,4}\\s{0,4},\\s{0,24}\\[\\]byte\\(\\s{0,24})?(?=b?["'\`])`,
  ),
  ...row(
    'token',
    'createhm·ac(|hexdige·st(|base64dige·st(|.si·gn(|jwt::enco·de(|jwt::deco·de(',
    `\\s{0,24}${NEXT}${WRAPPED}`,
  ),
  ...row('token', 'jwt.enco·de ', `${NEXT}${QUOTE}`),
  ...row('token', 'hash_hm·ac(', `\\s{0,24}${NEXT}${NEXT}${QUOTE}`),
  ...row('token', 'signwi·th(|cookiep·arser(', `\\s{0,24}${NO_TEXT}?${WRAPPED}`),
  // What a key encrypts.
  ...row('token', 'fern·et(|aes.n·ew(', `\\s{0,24}(?=b?["'])`),
  ...row('token', 'aes.enc·rypt(|aes.dec·rypt(|createcip·heriv(|createdecip·heriv(', `\\s{0,24}${NEXT}${WRAPPED}`),
  ...row('token', 'openssl_encr·ypt(|openssl_decr·ypt(', `\\s{0,24}${NEXT}${NEXT}${QUOTE}`),
  ...row('password', 'pbekeysp·ec(|passwor·dprotection(', `\\s{0,24}${QUOTE}`),
  ...row('password', 'pkey::rsa.n·ew(|pkey::rsa.n·ew |.to_p·em(|keystore.l·oad(', `\\s{0,24}${NEXT}${QUOTE}`),
  // What hashes a password.
  ...row('password', 'bcry·pt.', `(?:hash|compare)\\w{0,12}\\(\\s{0,24}${QUOTE}`),
  ...row(
    'password',
    'passwor·d_hash(|passwor·d_verify(|ha·sh::make(|passwordencoder.enco·de(|password.crea·te(',
    `\\s{0,24}${QUOTE}`,
  ),
  // Logins.
  ...row(
    'password',
    'log·in(|sign·in(|oracledb.conn·ect(|cx_oracle.conn·ect(|oci_con·nect(|oci_pcon·nect(|credentials.bas·ic(',
    `\\s{0,24}${NEXT}${QUOTE}`,
  ),
  ...row(
    'password',
    'sql.conn·ect(|sqldb.conn·ect(|mysql_conn·ect(|mysql_pconn·ect(|ldap_b·ind(|ftp_lo·gin(|sequel·ize(|plaina·uth(|f·tp(',
    `\\s{0,24}${NEXT}${NEXT}${QUOTE}`,
  ),
  ...row(
    'password',
    'sp_add·login',
    `[ \\t](?:@\\w{1,16}\\s?=\\s?)?N?'[^'\\n]{1,60}',[ \\t]?(?:@\\w{1,16}\\s?=\\s?)?N?(?=')`,
  ),
  // `root:password@tcp(db:3306)/app` of Go.
  ...DSN,
]
