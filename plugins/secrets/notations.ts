/** Notations that hold a credential without a label before it: statements, settings, commands. One row each. */
import type { LabelWord } from './labels.ts'
import { ASSIGNED, exact, OPTIONS, REST, row } from './rows.ts'

const IMPACKET =
  'addcomputer|atexec|changepasswd|dacledit|dcomexec|describeTicket|dpapi|exchanger|findDelegation|Get-GPPPassword|GetADComputers|GetADUsers|getArch|' +
  'GetLAPSPassword|GetNPUsers|getPac|getST|getTGT|GetUserSPNs|lookupsid|machine_role|mqtt_check|mssqlclient|net|netview|ntfs-read|owneredit|' +
  'psexec|raiseChild|rbcd|rdp_check|reg|registry-read|rpcdump|rpcmap|sambaPipe|samrdump|secretsdump|services|smbclient|smbexec|' +
  'ticketConverter|ticketer|tstool|wmiexec|wmipersist|wmiquery'

/** What reads a password or token from its input. */
const READS_SECRET =
  /^["']?[ \t]{0,3}\|[ \t]{0,3}(?:sudo[ \t](?:-\w+[ \t]){0,2}?(?:-\w{0,3}S|--stdin)\b|(?:sudo )?(?:chpasswd|passwd --stdin|cryptsetup |kinit |runas |argon2 |mkpasswd|openssl passwd|pass(?:age)? insert|(?:docker|podman) secret create|smbpasswd |saslpasswd2 |(?:su|mount)[ \t])|(?:wrangler|gh|fly|vercel|supabase)[ \t](?:secret|secrets|env) |[\w./-]{1,24}(?: registry| auth| acr| container)? login[^\n|]{0,48}(?:-stdin|--with-token))/

/** `after` leads from the end of the word to the value; it may end at an opening quote. */
export const NOTATIONS: readonly LabelWord[] = [
  // `ID: bob PW: …`
  ...exact('pw', 'pw:|pw :|pw=|pw =', '(?<=(?:^|[^A-Za-z0-9_])[Pp][Ww] ?[:=])[ \\t]{0,2}(?=\\S)'),
  // Options of libcurl.
  ...row(
    'password',
    'curlopt·_userpwd|curlopt·_proxyuserpwd',
    `["']?\\s{0,2}(?:,|=>)\\s{0,4}["'][^"':\\s]{1,60}:(?=\\S)`,
  ),
  ...row('token', 'curlopt·_xoauth2_bearer', `["']?\\s{0,2}(?:,|=>)\\s{0,4}(?=["'])`),
  // A call of TrueNAS.
  ...row('token', 'login·_with_api_key', `["']\\s{0,4},\\s{0,24}["']params["']\\s{0,4}:\\s{0,4}\\[\\s{0,24}(?=["'])`),
  // Of WordPress.
  ...row('token', "auth_s·alt'|in_s·alt'|nonce_s·alt'", `,\\s{0,24}(?=["'])`),
  // The value of one setting.
  ...row('api_key', 'secretor·key', `${ASSIGNED}(?=\\S)`),
  ...row('token', 'cc_te·st_reporter_id', ASSIGNED),
  ...row('token', 'so·nar_login|so·nar.login|so·narlogin', `(?:${ASSIGNED}|["']\\s?,\\s?["'])(?=\\w)`),
  ...row('password', 'bu·ndle_', `[A-Z0-9_]{3,60}__[A-Z0-9]{2,12}${ASSIGNED}[^\\s:"']{1,60}:(?=\\w)`),
  // Statements.
  ...row(
    'password',
    'iden·tified',
    '\\s(?:with\\s[\\w"\'`]{1,40}\\s)?(?:by|as)\\s{1,2}(?:password\\s|values\\s)?(?=["\'])',
  ),
  // Oracle needs no quotes.
  ...row('password', 'iden·tified', '(?<=\\b(?:user|to)\\b[^\\n]{1,80}identified)\\sby\\s{1,2}(?=[^\\s"\'])'),
  // Commands.
  ...row('password', 's·shpass', '[ \\t]-p[ \\t]?(?=[^\\s-])'),
  ...row('password', 'redis·-cli|redis·-benchmark', `${OPTIONS}[ \\t]-a[ \\t](?=\\S)`),
  ...row('password', 's·qlcmd', `${OPTIONS}[ \\t]-P[ \\t]?(?=[^\\s-])`),
  ...row(
    'password',
    'docke·r login|podman login|re·gistry login|az login|cf login|oc login',
    `${OPTIONS}[ \\t]-p[ \\t](?=\\S)`,
  ),
  ...row('password', 'ne·t user', '[ \\t]\\S{1,40}[ \\t](?=[^\\s/])'),
  ...row('token', 'gh s·ecret set', `[ \\t]\\w{1,60}${OPTIONS}[ \\t](?:--body|-b)[ =](?=\\S)`),
  ...row('password', 'ope·nssl', `[ \\t][\\w-]{2,12}${OPTIONS}[ \\t]-k[ \\t](?=\\S)`),
  ...row('password', 'ldapsearch|ldapmodify|ldapadd|lda·pwhoami', `${OPTIONS}[ \\t]-w[ \\t](?=\\S)`),
  ...row('password', 'my·sql|mysq·ldump|mys·qladmin|mar·iadb', `${OPTIONS}[ \\t]-p(?=[^\\s-])`),
  ...row('password', 'htpasswd', '[ \\t]-\\w{0,3}b\\w{0,3}[ \\t]\\S{1,60}[ \\t]\\S{1,40}[ \\t](?=\\S)'),
  ...row(
    'password',
    'p·sexec|rde·sktop|hy·dra |evi·l-winrm|cra·ckmapexec|n·xc |twine upload|p·oetry publish|use·radd',
    `(?:${REST}[ \\t])?-p[ \\t](?=[^\\s-])`,
  ),
  // A name and a password beside it, of any command.
  ...row(
    'password',
    '-u |--user |--user=|--username |--username=|-user |-username ',
    `["']?[^\\s"'-][^\\s"']{0,60}["']?(?:[ \\t]${REST})?[ \\t]-[pP][ \\t](?=[^\\s-])`,
  ),
  ...row('password', '/p |/p:', `(?<=[ \\t]/u(?:ser)?[ :]\\S{1,60}(?:[ \\t][^\\n|;&]{0,80})?[ \\t]/p[ :])(?=[^\\s/])`),
  ...row(
    'password',
    '-auth |--auth |--credentials |--credential |--basic-auth ',
    `["']?[\\w.@\\\\/-]{1,60}:(?=[^\\s/])`,
  ),
  ...row('password', 'cu·rl ', `(?:${REST}[ \\t])?-u(?=[^\\s-])["']?[^\\s:"']{1,60}:(?=\\S)`),
  // The scripts of Impacket: `domain/user:password@host`.
  ...row(
    'password',
    'py ',
    `(?<=\\b(?:${IMPACKET})\\.py )(?:${REST}[ \\t])?["']?(?<!-hashes ["']?)(?:[\\w.-]{1,40}/)?[\\w.$-]{1,40}:(?=[^\\s/])`,
  ),
  // Settings of servers, routers and clients of databases.
  ...row(
    'password',
    'requi·repass |mast·erauth |bindcr·edentials |pre·-shared-key |snmp-·server community ',
    '["\']?(?=\\S)',
  ),
  ...row('password', 'isakm·p key |tacac·s-server key |radiu·s-server key ', '(?:\\d[ \\t])?(?=\\S)'),
  ...row(
    'password',
    'userna·me |enab·le ',
    '(?:(?!secret|password)\\S{1,40}[ \\t])?(?:privilege[ \\t]\\d{1,2}[ \\t])?(?:secret|password)[ \\t](?:\\d[ \\t])?(?=[^\\s$])',
  ),
  // A word before it is a user's name if what follows may be a password: no `&&`, and no word of a sentence.
  ...row(
    'password',
    'redis·-cli',
    `${REST}[ \\t]auth[ \\t](?:\\w{1,24}[ \\t](?!\\d?[&|;<>])(?=\\S*[\\d!@#$%^*?~]))?(?=\\S)`,
  ),
  ...row('password', 'on >', '(?<=\\buser \\S{1,40} on >)(?=\\S)'),
  ...row('password', 'rabbitm·qctl ', '(?:add_user|change_password)[ \\t]\\S{1,40}[ \\t](?=[^\\s-])'),
  ...row('password', ':5432:', '(?<=(?:^|\\n)[\\w.*-]{1,90}:5432:)[\\w*.-]{1,40}:[\\w*.@-]{1,40}:(?=\\S)'),
  ...row('password', ':*:', '(?<=(?:^|\\n)[\\w.*-]{1,90}:(?:\\d{1,5}|\\*):\\*:)[\\w*.@-]{1,40}:(?=\\S)'),
  ...row('password', 'orac·le:thin:', '[\\w.$-]{1,40}/(?=[^\\s/@"\'])'),
  // Scripts of `expect`.
  ...row('password', 'a·ssword', `[^\\n"]{0,16}"\\s{0,8}(?:\\{\\s{0,8})?send(?:[ \\t]--)?[ \\t]{1,4}(?=")`),
  ...row('token', 'vault operator unseal', '[ \\t](?=[^\\s-])'),
  ...row('password', 'from·-literal', `[ =]["']?[\\w.-]{1,60}=(?=\\S)`),
  ...row('password', 'k·eychain ', '(?:[^\\n|;&]{0,40}[ \\t])?-p[ \\t](?=[^\\s-])'),
  ...row('password', '-u·pw |-o·pw ', '(?=[^\\s-])'),
  ...exact('password', 'zip |bcp |i·pmitool|m·osquitto_', `(?:${REST}[ \\t])?-P[ \\t]?(?=[^\\s-])`),
  ...exact('password', 's·nmpwalk|s·nmpget|s·nmpset', `(?:${REST}[ \\t])?-[AX][ \\t](?=[^\\s-])`),
  ...row('password', '7z |7za ', `(?:${REST}[ \\t])?-h?p(?=[^\\s-])`),
  ...row('password', 'l·ftp ', `${REST}-u[ \\t][^\\s,]{1,40},(?=\\S)`),
  ...exact(
    'password',
    's·mbclient|s·mbmap|s·mbcacls|s·mbget|r·pcclient',
    `${REST}(?:-U|--user)[ =]["']?[^\\s%]{1,40}%(?=\\S)`,
  ),
  ...row('password', 's·qlplus ', '(?:-\\w{1,8}[ \\t]){0,3}["\']?[\\w.]{1,30}/(?=[^\\s/@"\'])'),
  ...row('password', 'ne·t use', '[ \\t](?:(?:\\w:|\\*)[ \\t])?\\\\\\\\[^\\s]{1,80}[ \\t](?=[^\\s/])'),
  // `/user:` after the share.
  ...row('password', 'ne·t use', '[^\\n]{1,100}?[ \\t]/u(?:ser)?:\\S{1,60}[ \\t](?=[^\\s/])'),
  ...row('password', 'store·pass|key·pass', '[ \\t](?=[^\\s-])'),
  ...row('password', 'free·rdp', `${REST}[ \\t]/p:(?=\\S)`),
  ...row('password', 'wp·a_passphrase', '[ \\t]["\']?[^\\s"\']{1,32}["\']?[ \\t](?=\\S)'),
  ...row('password', 'rad·test ', '\\S{1,40}[ \\t](?=\\S)'),
  ...row('password', 'http-·basic.', '[\\w-]{1,40}[ \\t]\\S{1,40}[ \\t](?=\\S)'),
  ...row('token', 'vault login', '[ \\t](?=[^\\s-])'),
  ...row('token', 'nuget push', `${REST}[ \\t](?:-k|--api-key|-apikey)[ \\t](?=\\S)`),
  ...row('token', 'dockerconfi·gjson|.docke·rcfg', `${ASSIGNED}(?:[|>][+-]?\\s{1,24})?(?=\\w)`),
  // What a command reads from its input.
  ...row(
    'password',
    'sudo -|kinit |cryptsetup |c·hpasswd|pas·swd --stdin|wra·ngler secret',
    '[^\\n|;&<]{0,60}<<<[ \\t]?(?=\\S)',
  ),
  ...row(
    'password',
    'e·cho |pri·ntf ',
    '[ \\t]{0,3}(?:-[neE]{1,3}[ \\t]{1,3})?(?:["\']%s(?:\\\\n|\\s{1,2})?["\'][ \\t])?(?=\\S)',
    READS_SECRET,
  ),
  ...row('token', 'carg·o login', '[ \\t](?=[^\\s-])'),
  ...row('password', 'roo·tpw --plaintext', '[ \\t](?=\\S)'),
  // What stores secrets under any name.
  ...row(
    'password',
    'vault kv put|vault kv patch|vault write',
    `[ \\t]${REST}[ \\t](?!(?:user|username|host|url|port|type|ttl)=)[\\w.-]{1,40}=(?=\\S)`,
  ),
  ...row('password', 'secrets· set', `[ \\t](?:${REST}[ \\t])?[A-Za-z_]\\w{1,40}=(?=\\S)`),
  ...row('password', 'keyvau·lt secret set|s·ecurestring', '(?:[^\\n|;&]|\\\\\\n){0,120}?[ \\t]--value[ =](?=\\S)'),
  // Transcripts of mail and files: POP3, FTP, IMAP, SMTP.
  ...exact('password', 'pass ', '(?<=(?:^|\\n)USER \\S{1,60}\\r?\\n(?:[^\\n]{0,80}\\n)?PASS )(?=\\S)'),
  ...exact('password', 'l·ogin ', '(?<=(?:^|\\n)(?:C: )?[A-Za-z]{0,4}\\d{1,6} LOGIN )\\S{1,60} (?=\\S)'),
  ...exact('password', 'aut·h plain ', '(?<=AUTH PLAIN )(?=[A-Za-z0-9+/])'),
  // The code of a network that a camera reads.
  ...row('password', 'wifi:', '(?:[A-Z]:[^;\\n]{0,60};){0,4}P:(?=[^;])').map(
    (label): LabelWord => ({ ...label, until: ';'.charCodeAt(0) }),
  ),
  // Bundler: `BUNDLE_GEMS__EXAMPLE__COM: "user:password"`.
  ...exact('password', 'bundl·e_', `(?<=BUNDLE_)[A-Z\\d_]{2,48}__[A-Z]{2,4}${ASSIGNED}[\\w.@-]{1,64}:(?=[^\\s"'/])`),
  // A value before its name.
  ...row(
    'token',
    '"va·lue"',
    '\\s{0,4}:\\s{0,4}(?=")',
    /^"\s{0,24},\s{0,24}"(?:key|name)"\s{0,4}:\s{0,4}"(?:[\w.-]{0,40}(?<!page|next|csrf|xsrf)[_.-])?(?:password|secret|token|api[_-]?key)"/i,
  ),
  // Sessions in headers.
  ...row(
    'session',
    'coo·kie',
    '["\']?[ \\t]{0,2}:[ \\t]{0,2}["\']?(?:[\\w.-]{1,40}=[^;\\s]{0,60};[ \\t]?){0,5}[\\w.-]{0,24}(?:sess|sid|auth|token|jwt|login|remember)[\\w.-]{0,24}=',
  ),
]
