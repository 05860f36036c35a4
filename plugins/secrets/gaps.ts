/** What may stand between a label and its value. Sticky. */
import { GENERIC_NAMES } from './member.ts'

/** Backslashes before a quote: JSON within JSON doubles them with each level. */
export const MAX_BACKSLASHES = 15
const ESCAPE = `\\\\{0,${MAX_BACKSLASHES}}`

/** Text between label and value: assignment, call, element, column. */
export const ASSIGN =
  /(?:\\{4,15}["'`])?["'`\\\])}*_]{0,4}(?:\[\d{0,4}\])?[ \t]{0,16}(?:=>|!?={1,3}|:{1,3}=|[.?+|]{1,2}=|:{1,2}|->|→)[*_]{0,3}[ \t]{0,16}(?:(?:[|>][+-]?|\()?\r?\n[ \t]{1,24})?/y
export const TYPED =
  /["'`]?[ \t]?\??(?::[ \t]{0,2}(?:&(?:'\w{1,12} )?)?)?[ \t]{0,2}[A-Za-z_][\w<>[\]?|.* ]{0,24}[ \t]{0,2}=[ \t]{0,4}/y
/** `set("TOKEN", "…")`; `options['token'], '…'`. */
export const ARGUMENT = /["'`]\]?["'`]?[ \t]{0,4}\)?,[ \t]{0,4}(?=["'`])/y
/** The same in the next line, after {@link FIRST_ARGUMENT}: in a list the next line is the next word. */
export const ARGUMENT_BELOW = /["'`],[ \t]{0,4}\r?\n[ \t]{0,24}(?=["'`])/y
export const FIRST_ARGUMENT = /\w\(\s{0,24}["'`][\w.-]*$/
/** `mailgun "…"` */
export const QUOTED = /[ \t]{1,2}(?=["'])/y
/** `name="token" value="…"`, `variable "token" { type = string default = "…" }`, `android:value="…"`. */
export const ATTRIBUTE =
  /["']\s{1,24}(?:\{\s{0,24})?(?:\w{1,16}[ \t]{0,8}=[ \t]{0,4}(?:"[^"\n]{0,64}"|[^\s"]\S{0,39})\s{1,24}){0,2}(?:\w{1,12}:)?(?:value|content|default)[ \t]{0,8}=[ \t]{0,4}(?=["'])/iy
/** `<entry key="token">…`, `<setting name="Token" serializeAs="String"><value>…`, but not after `<input name="token" />`. */
export const TAGGED =
  /["'](?:[ \t]\w{1,24}="\w{0,24}")?[^<>"'\n]{0,24}(?<![\s"']\/)>\s{0,40}(?:<value>\s{0,16})?(?=[^\s<])/y
/** `<key>Token</key><string>…`, `<token><![CDATA[…`, `<token><value>…`. */
export const NESTED =
  /(?:<\/[\w-]{1,12}>\s{0,16}<[\w-]{1,12}>|>\s{0,8}<!\[CDATA\[|>\s{0,16}<(?:value|string|text|plain-?text)>)\s{0,16}(?=[^\s<])/iy
/** `{"name": "TOKEN", "value": "…"}`; the next line of YAML. */
export const BESIDE = new RegExp(
  `${ESCAPE}["'\`][ \\t]{0,4},\\s{0,24}(?:${ESCAPE}["']\\w{1,16}${ESCAPE}["'][ \\t]{0,4}:[ \\t]{0,4}(?:${ESCAPE}"\\w{0,24}${ESCAPE}"|\\w{1,16})[ \\t]{0,4},\\s{0,24})?` +
    `${ESCAPE}["'](?:\\w{0,16}value|val|content|default|text)${ESCAPE}["'][ \\t]{0,4}:[ \\t]{0,4}(?=${ESCAPE}["'])`,
  'iy',
)
export const BELOW = /["']?[ \t]{0,4}\r?\n[ \t]{1,24}value[ \t]{0,4}:[ \t]{1,4}(?=\S)/iy
/** A part of a form: `form-data; name="token"`, its other headers and an empty line. */
export const PART = /["'](?:\r?\n[\w-]{1,40}: [^\r\n]{0,60}){0,2}\r?\n\r?\n(?=\S)/y
export const FORM_DATA = /form-data;[^\n]{0,8} name=["'][\w.-]*$/i
/** `s:8:"password";s:12:"…"` of PHP. */
export const SERIALIZED = /\\{0,3}";[a-z]:\d{1,4}:(?=\\{0,3}")/y
/** `["password"]=>` and `string(12) "…"` in the next line, of PHP. */
export const DUMPED = /["']\][ \t]?=>\s{1,24}string\(\d{1,4}\)[ \t](?=")/y
/** `password:` and `- …` in the next line; `? password` and `: …`. */
export const LISTED = /["']?:[ \t]{0,4}\r?\n[ \t]{0,24}-[ \t]{1,4}(?=\S)/y
export const COMPLEX_KEY = /(?:^|\n)[ \t]*\?[ \t]["']?[\w.-]*$/
export const VALUE_BELOW = /["']?[ \t]{0,4}\r?\n[ \t]{0,24}:[ \t]{1,4}(?=\S)/y
/** `DefaultPassword REG_SZ …`, `/v DefaultPassword /t REG_SZ /d …`. */
export const REGISTRY = /["']?[ \t]{1,8}(?:\/t[ \t])?REG_(?:EXPAND_)?SZ[ \t]{1,8}(?:\/d[ \t])?(?=\S)/iy
/** The default of a parameter of a template: of CloudFormation, and of Azure. */
export const PARAMETER =
  /:[ \t]{0,4}\r?\n\s{1,24}(?:\w{1,16}:[ \t][^\s:]{1,24}\s{1,24}){0,2}Default:[ \t]{1,4}(?=\S)|"[ \t]{0,4}:[ \t]{0,4}\{\s{0,24}"type"\s{0,4}:\s{0,4}"\w{1,16}"\s{0,4},\s{0,24}"(?:defaultValue|value)"\s{0,4}:\s{0,4}(?=")/iy
/** The element after an option in a list: `- --password` and `- …`. */
export const ELEMENT_BELOW = /["']?[ \t]{0,4}\r?\n[ \t]{0,24}-[ \t]{1,4}(?=\S)/y
/** `password: &anchor …`, `password: !!str …`. */
export const NODE = /["']?:[ \t]{1,4}(?:&[\w-]{1,24}|!!str)[ \t]{1,4}(?=\S)/y
/** `Password (root): …`. */
export const NOTED = /[ \t]?(?:\([\w .@-]{1,24}\)|\[[\w .@-]{1,24}\])[ \t]?:[ \t]{0,3}(?=\S)/y
/** `token = String::from("…")`, `secret := []byte("…")`, `key = BASE64.encode("…")`, `token[] = {"…"}`, `apiKey={'…'}`. */
export const WRAPPED =
  /["'`\])]{0,3}(?:\[\])?[ \t]{0,4}(?::?=|:|=>)?[ \t]{0,4}(?:(?:new[ \t])?(?:[\w.:]{0,24}(?:from|of|byte|bytes|string|str|some|secretstr|secret|text|literal|encode|decode|mask)|\[\]byte)[({]|\{)\s{0,24}(?=["'])/iy
/** `env.TOKEN || "…"`, `environ.get("TOKEN") or "…"`, `token = getenv("TOKEN", "…")`. */
export const FALLBACK =
  /["'\])]{0,3}[ \t]{0,2}(?:\|\||\?\?|\?:|\bor\b)\s{0,24}(?=["'])|[ \t]{0,4}:?=[ \t]{0,4}[\w.]{0,24}(?:getenv|get|getEnv|env|fetch|config)\(\s{0,24}(?:"[^"\s]{1,60}"|'[^'\s]{1,60}'),\s{0,24}(?=["'])/y
/** CSV doubles a quote. */
const QUOTES = `${ESCAPE}["'\`]{1,2}`
export const OPENING = new RegExp(`^(?:${QUOTES})?[ \\t]{0,4}[:=][ \\t]{0,4}[[{]`)
/** The first element of a list, or a generic member of an object: `"password": {"value": "…"}`. */
export const IN_LIST = new RegExp(`(?:${QUOTES})?[ \\t]{0,4}[:=][ \\t]{0,4}(?:\\[\\s{0,16}){1,3}(?=${QUOTES})`, 'y')
export const IN_OBJECT = new RegExp(
  `(?:${QUOTES})?[ \\t]{0,4}[:=][ \\t]{0,4}\\{\\s{0,16}(?:${QUOTES})?(?:${GENERIC_NAMES})(?:${QUOTES})?\\s{0,4}[:=]\\s{0,16}(?:\\[\\s{0,16})?(?=${QUOTES})`,
  'iy',
)
/** The second argument of `setBasicAuth("user", "…")` and `auth=("user", "…")`. */
export const PAIR = /[ \t]{0,2}=?[ \t]{0,2}\([ \t]{0,2}(?:"[^"\s]{0,80}"|'[^'\s]{0,80}'),[ \t]{0,4}(?=["'])/y
export const PAIR_OVER_LINES = /[ \t]{0,2}=?[ \t]{0,2}\(\s{0,24}(?:"[^"\s]{0,80}"|'[^'\s]{0,80}'),\s{0,24}(?=["'])/y
export const CALL = /\(\s{0,24}(?=["'])/y
/** `put(API_TOKEN, "…")`; `api_token,…` of CSV. */
export const AFTER_COMMA = /[ \t]{0,2},[ \t]{0,4}(?=["'`\w])/y
/** What compares or sets names its first argument; `{password, "…"}` of Erlang. The value comes after a comma. */
export const COMPARED =
  /(?:(?:assert|expect|str|mem)\w{0,16}|\w{0,12}(?:equals?|compare|put|property|set|default))\(\s{0,24}[\w.$>-]{0,40}$|\{:?$/i
/** `put(DB_PASSWORD, "…")`: a constant. */
export const CONSTANT = /^[A-Z\d_]+$/
export const NEXT_ARGUMENT = /,\s{0,24}(?=["'])/y
/** `password.equals("…")`, `expect(password).to eq("…")`, `field("password").send_keys("…")`, `password.value = "…"`. */
export const METHOD =
  /["']?\]{0,2}["']?(?:\(\))?\){0,2}(?:\.(?:equals|equalsIgnoreCase|contentEquals|compareTo|eql\?|toBe|toEqual|toStrictEqual|send_keys|sendKeys|type|fill|setValue|set_value|set)\(|\.(?:value|text)[ \t]?={1,3}[ \t]?|\.to (?:eq|be|eql)[( ])[ \t]{0,4}(?=["'])/iy
/**
 * `add_argument("--password", default="…")`, `fill_in "Password", with: "…"`, `get("db", "password", fallback="…")`,
 * `{ name: PASSWORD, value: "…" }`.
 */
export const DEFAULTED =
  /["']?,\s{0,24}(?:\w{1,12}=[\w."']{1,24},\s{0,24}){0,2}\{?\s{0,4}(?:default|fallback|default_?value|value|with)[ \t]?[:=][ \t]{0,2}(?=["'])/iy
/** `Set-Variable -Name Password -Value "…"`, `put-parameter --name password --value …`. */
export const VALUE_OPTION = /["']?[ \t]{1,2}(?:\\\n\s{0,24})?(?:--?type[ =]\w{1,16}[ \t]{1,2})?--?value[ =](?=\S)/iy
/** `ParameterKey=Password,ParameterValue=…`. */
export const VALUE_PAIR = /,[ \t]?(?:Parameter)?Value=(?=\S)/iy
/** `var password: String { "…" }`. */
export const COMPUTED = /[ \t]?:[ \t]?[\w.<>?]{1,24}[ \t]\{\s{0,16}(?:return[ \t])?(?=")/y
/** `"password" "…"`. */
export const SPACED = /["'][ \t]{1,8}(?=")/y
/** `api_token - "…"`. */
export const DASHED = /[ \t]{1,3}[-–—][ \t]{1,3}(?=["'`])/y
export const DASHED_BARE = /[ \t]{1,3}[-–—][ \t]{1,3}(?=\w)/y
export const ELEMENT = />\s{0,40}(?=[^\s<])/y
/** `<password encoding="base64">…`. */
export const ATTRIBUTED = /(?:[ \t][\w:-]{1,16}=(?:"[^"\n]{0,24}"|'[^'\n]{0,24}')){1,2}[ \t]?>\s{0,16}(?=[^\s<])/y
/** The columns of an `INSERT` before a label, between it and the values, and a value; bounded, so that a stream has them all. */
export const COLUMNS_BEFORE = /\(\s?((?:["'`[]?\w{1,24}["'`\]]?\s?,\s?){0,6})["'`[]?\w{0,24}$/
export const TO_VALUES = /["'`\]]?(?:\s?,\s?["'`[]?\w{1,24}["'`\]]?){0,6}\s?\)\s{1,4}values\s{0,4}\(\s{0,2}/iy
export const SQL_VALUE = /(?:[NE]?'[^'\n]{0,40}'|[\w.+-]{1,24}(?:\(\))?)\s?,\s{0,2}/y
export const MAX_INSERT = 176
/** `token <- "…"` of R. */
export const ARROW = /[ \t]{0,8}<-[ \t]{0,8}(?=["'])/y
/** `getToken(): string { return "…"`, `Token { get; set; } = "…"`, `token by lazy { "…"`. */
export const RETURNED =
  /(?:\([^()\n"']{0,32}\))?[ \t]{0,2}(?:(?:->|:)?[ \t]{0,2}[\w.<>?[\]]{1,24}[ \t]{0,2})?(?:[{:]\s{0,16}return[ \t]{1,2}\(?|\{[ \t]get;[ \t](?:(?:private |protected |internal )?(?:set|init);[ \t])?\}[ \t]=[ \t]|=[ \t]?|by lazy[ \t]\{\s{0,16}|get\(\)[ \t]=[ \t])(?=["'`])/y
/** A stored credential of a build server: `<secret>{AQAAABAAA…}</secret>`, with words before it. */
export const BRACED_ELEMENT = />\s{0,40}\{(?:[\w.-]{1,40} ){0,3}(?=[^\s<{}])/y
export const COLUMN = /[*_`]{0,3}[ \t]{0,24}\|{1,2}[ \t]{0,24}[*_]{0,3}/y
export const CONNECTED =
  /["'*_)]{0,3}(?:[ \t]{1,3}(?:(?:was|has been|is) (?:set|changed|reset|now)(?: to)?|is|was|will be|shall be|should be|set to|equals|ist|lautet|est|es|é|è|jest|är|er|to)[ \t]{0,2}:?|:)[ \t\n]{1,8}/iy
export const DESCRIBED =
  /["'*_)]{0,3}[ \t]{1,2}(?:for|of|to|on|at|in|für|von|pour|para|per|voor|dla|för)(?:[ \t][\w.@'/-]{1,24}){1,5}?(?:[ \t]{1,3}(?:is|was|will be|equals|ist|est|es)[ \t]{0,2}:?[ \t\n]{1,3}|[ \t]?:[ \t\n]{0,3})/iy
export const PARTICLE = /[ \t]{0,2}(?:是|为|為|は|が|은|는|이|가|คือ)[ \t:]{0,3}/y
export const DIRECT = /[ \t]{1,3}/y
/** Columns of what a command prints. */
export const ALIGNED = /[ \t]{1,16}/y
