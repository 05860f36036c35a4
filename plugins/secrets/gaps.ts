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
export const ARGUMENT = /["'`]\]?[ \t]{0,4}\)?,[ \t]{0,4}(?=["'`])/y
/** The same in the next line, behind {@link FIRST_ARGUMENT}: in a list the next line is the next word. */
export const ARGUMENT_BELOW = /["'`],[ \t]{0,4}\r?\n[ \t]{0,24}(?=["'`])/y
export const FIRST_ARGUMENT = /\w\(\s{0,24}["'`][\w.-]*$/
/** `mailgun "…"` */
export const QUOTED = /[ \t]{1,2}(?=["'])/y
/** `name="token" value="…"`, `variable "token" { type = string default = "…" }`. */
export const ATTRIBUTE =
  /["']\s{1,24}(?:\{\s{0,24})?(?:\w{1,16}[ \t]{0,8}=[ \t]{0,4}\S{1,40}\s{1,24}){0,2}(?:value|content|default)[ \t]{0,8}=[ \t]{0,4}(?=["'])/iy
/** `<entry key="token">…`, but not behind `<input name="token" />`. */
export const TAGGED = /["'][^<>"'\n]{0,24}(?<![\s"']\/)>\s{0,40}(?=[^\s<])/y
/** `<key>Token</key><string>…`, `<token><![CDATA[…`. */
export const NESTED = /(?:<\/\w{1,12}>\s{0,16}<\w{1,12}>|>\s{0,8}<!\[CDATA\[)\s{0,16}(?=[^\s<])/y
/** `{"name": "TOKEN", "value": "…"}`; the next line of YAML. */
export const BESIDE = new RegExp(
  `${ESCAPE}["'\`][ \\t]{0,4},\\s{0,24}(?:${ESCAPE}["']\\w{1,16}${ESCAPE}["'][ \\t]{0,4}:[ \\t]{0,4}(?:${ESCAPE}"\\w{0,24}${ESCAPE}"|\\w{1,16})[ \\t]{0,4},\\s{0,24})?` +
    `${ESCAPE}["'](?:\\w{0,16}value|val|content|default|text)${ESCAPE}["'][ \\t]{0,4}:[ \\t]{0,4}(?=${ESCAPE}["'])`,
  'iy',
)
export const BELOW = /["']?[ \t]{0,4}\r?\n[ \t]{1,24}value[ \t]{0,4}:[ \t]{1,4}(?=\S)/iy
/** `token = String::from("…")`, `secret := []byte("…")`, `token[] = {"…"}`, `apiKey={'…'}`. */
export const WRAPPED =
  /["'`\])]{0,3}(?:\[\])?[ \t]{0,4}(?::?=|:|=>)?[ \t]{0,4}(?:(?:new[ \t])?(?:[\w.:]{0,24}(?:from|of|byte|bytes|String|str|Some|SecretStr|Secret|Text)|\[\]byte)\(|\{)\s{0,24}(?=["'])/y
/** `env.TOKEN || "…"`, `token = getenv("TOKEN", "…")`. */
export const FALLBACK =
  /["'\])]{0,3}[ \t]{0,2}(?:\|\||\?\?|\?:)\s{0,24}(?=["'])|[ \t]{0,4}=[ \t]{0,4}[\w.]{0,24}(?:getenv|get|getEnv|env|fetch|config)\(\s{0,24}(?:"[^"\s]{1,60}"|'[^'\s]{1,60}'),\s{0,24}(?=["'])/y
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
/** `api_token - "…"`. */
export const DASHED = /[ \t]{1,3}[-–—][ \t]{1,3}(?=["'`])/y
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
/** `getToken(): string { return "…"`, `Token { get; set; } = "…"`. */
export const RETURNED =
  /(?:\([^()\n"']{0,32}\))?[ \t]{0,2}(?:(?:->|:)?[ \t]{0,2}[\w.<>?[\]]{1,24}[ \t]{0,2})?(?:[{:]\s{0,16}return[ \t]{1,2}\(?|\{[ \t]get;[ \t](?:(?:private |protected |internal )?(?:set|init);[ \t])?\}[ \t]=[ \t]|=[ \t]?)(?=["'`])/y
/** A stored credential of a build server: `<secret>{AQAAABAAA…}</secret>`, with words before it. */
export const BRACED_ELEMENT = />\s{0,40}\{(?:[\w.-]{1,40} ){0,3}(?=[^\s<{}])/y
export const COLUMN = /[*_`]{0,3}[ \t]{0,24}\|{1,2}[ \t]{0,24}[*_]{0,3}/y
export const CONNECTED =
  /["'*_)]{0,3}(?:[ \t]{1,3}(?:is|was|will be|shall be|should be|set to|equals|ist|lautet|est|es|é|è|jest|är|er|to)[ \t]{0,2}:?|:)[ \t\n]{1,3}/iy
export const DESCRIBED =
  /["'*_)]{0,3}[ \t]{1,2}(?:for|of|to|on|at|in)(?:[ \t][\w.@'/-]{1,24}){1,5}?(?:[ \t]{1,3}(?:is|was|will be|equals|ist|est|es)[ \t]{0,2}:?|:)[ \t\n]{1,3}/iy
export const PARTICLE = /[ \t]{0,2}(?:是|为|為|は|が|은|는|이|가|คือ)[ \t:]{0,3}/y
export const DIRECT = /[ \t]{1,3}/y
