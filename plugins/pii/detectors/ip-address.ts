import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { CLOSING, OPENING } from '../engine/emphasis.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

const DOT = '(\\.|\\[\\.\\]|\\(\\.\\)|\\[dot\\])'

const PAIRS = /^\d\d(?::\d\d){7}$/

export const ipAddress: Detector = {
  type: 'ip_address',
  title: 'IP address',
  level: 'CONFIDENTIAL',
  check: 'structure; not loopback, masks, versions',
  patterns: [
    `\\d{1,3}(${DOT}\\d{1,3}){3}`,
    '[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{0,4}){2,7}(:\\d{1,3}(\\.\\d{1,3}){3})?',
    '[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{0,4}){2,7}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
  ],
  context: words(`
    ip, ips, ip address, ip addr, ipv4, ipv6, host, server, dns, nameserver, gateway, remote addr, client, peer,
    ping, ssh, subnet
  `),
  judge: (m) => (m.value.includes(':') ? judgeV6(m) : judgeV4(m)),
}

function judgeV4(m: Candidate): number {
  const address = m.value.replace(/\[dot\]/g, '.').replace(/[[\]()]/g, '')
  if (!validator.isIP(address, 4) || /^(?:0\.|127\.|255\.)/.test(address)) return 0
  if (EDGE.test(address) && !isNamed(m, address)) return 0
  if (
    m.before(1) === '.' ||
    (m.before(1) === '-' && !/\d/.test(m.before(2))) ||
    (m.after(1) === '.' && /\d/.test(m.after(2)))
  )
    return 0
  if (m.before(1) === '/' && /[A-Za-z]/.test(m.before(2)) && !isOfHost(m)) return 0 // Chrome/91.0.4472.124
  if (address.endsWith('.0') && m.after(1) === '/') return 0 // a network
  if (/^\d\d?\./.test(address) && PRODUCT.test(m.text.slice(Math.max(0, m.start - 8), m.start))) return 0
  const near = m.contextBefore()
  if (near === 0 && (m.isOtherNumber || isOfStandard(m, address) || isOfSoftware(m, address))) return 0
  const isSmall = /^(?:\d\.){3}\d$/.test(address) // 2.1.3.4 may be a section or version
  return near > 0 ? 1 : isSmall && !/^(?:1\.1\.1\.1|1\.0\.0\.1|8\.8\.[48]\.[48]|9\.9\.9\.9)$/.test(address) ? 0 : 0.9
}

const PORT = /^:\d{2,5}(?!\d)/
const HOST = /(?:^|[^\w./-])(?:[\w-]{1,24}\.){1,4}[A-Za-z]{2,12}\/$/

/** `Failed to connect to db.example.com/93.184.216.34`, `db/93.184.216.34:5432`, as Java writes the address of a host. */
const isOfHost = (m: Candidate): boolean => PORT.test(m.following(7)) || HOST.test(leftOf(m))

/** The end of a range or network, or an address of a large one. */
const EDGE = /\.(?:0\.0|255\.255)$/
const LINK = `${CLOSING}{0,4}(?: is| was)? ?[:=]? ?${OPENING}{0,4}$`
/** V8 forgets modifiers of a group at times. */
const anyCase = (words: string): string => words.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
const RANGES = anyCase('network|net|broadcast|bcast|subnet|multicast|base|start|end|first|last|range|to')
const NOT_ONE = `(?<!(?:${RANGES})[ _-]?(?:${anyCase('ip')}[ _-]?)?)`
const NAME = `(?<![A-Za-z])(?:${anyCase('ip|ipv[46]|addr(?:ess)?')})|(?<=[a-z])(?:I[Pp]|Addr(?:ess)?)`
const IP = new RegExp(`${NOT_ONE}(?:${NAME})${LINK}`)
const PARTY = new RegExp(`(?<![a-z])(?:host|client|server|from)${LINK}`, 'i')
/** `SQL Server 15.0.0.0`, `Oracle client 12.2.0.0`. */
const VERSION = /^\d+\.0\.0\.0$|^\d\d?\.1?\d\.0\.0$/
/** What follows the first address of a range, or of a network with its mask. */
const RANGE = new RegExp(
  `^${CLOSING}{0,4}\\s?(?:(?:to|and|or|bis|through|until|[-–—/])(?: ip)? ?\\d|netmask|mask|255\\.|0\\.0\\.)`,
)

/** Whether the name of one address stands right before it, and no range follows. */
function isNamed(m: Candidate, address: string): boolean {
  const left = leftOf(m)
  if (!IP.test(left) && !(PARTY.test(left) && !VERSION.test(address))) return false
  return !RANGE.test(m.following(16))
}

const leftOf = (m: Candidate): string => m.text.slice(Math.max(0, m.start - 40), m.start)

/** `rv:1.9.2.17`, `HarmonyOS 4.0.0.118` in the name of a browser. */
const PRODUCT = /\brv:$|monyOS $/
const ARC = /^2\.5\.(?:4|29)\./
const KERNEL = /^2\.6\.\d\d?\./
const SECTION = /§ ?$/
const HEADING = /(?:^|\n)[ \t]{0,8}#{1,6} $/
const LINE_BEGIN = /(?:^|\n)[ \t]{0,8}$/
const TWO_DIGITS = /^\d{1,2}(?:\.\d{1,2}){3}$/
/** The first part up to 12, the others up to 20. */
const OUTLINE = /^(?:[1-9]|1[0-2])(?:\.(?:1?\d|20)){3}$/

/**
 * `OID 2.5.4.42`, `Linux 2.6.35.5`, `§3.4.1.12`, `# 10.1.2.3 Title`, `10.1.2.3.  Title`. A bare number at the begin of a
 * line may be an address of a list, whatever follows.
 */
function isOfStandard(m: Candidate, address: string): boolean {
  const before = leftOf(m)
  if (ARC.test(address)) return /\boids?\b/i.test(before)
  if (KERNEL.test(address)) return /\b(?:linux|kernel)/i.test(before)
  if (SECTION.test(before)) return TWO_DIGITS.test(address)
  if (!OUTLINE.test(address)) return false
  if (HEADING.test(before)) return /^\.? {1,4}[A-Z][a-z]/.test(m.following(7))
  return LINE_BEGIN.test(before) && /^\. {2}[A-Z][a-z]/.test(m.following(5))
}

const CHANGE = /(?<![a-z])(?:upgrad|updat|downgrad|migrat|bump)(?:e|es|ed|ing|s)? (?:to|from) $/i
const SOFTWARE =
  /(?<![a-z])(?:git|mysql|mariadb|postgres(?:ql)?|redis|mongodb|nginx|apache|tomcat|java|jdk|jre|node|python|ruby|php|perl|chrome|firefox|safari|edge|opera|windows|macos|openssl|openssh|docker|kubernetes|jenkins|oracle|office|excel|photoshop|elasticsearch|kafka|rails|django|spring|log4j|struts|maven|gradle|gcc|clang|cuda|driver) $/i

/** `Git 1.7.12.1`, `upgrade to 10.4.2.1`. Of the networks that are private, the name of a program may have an address behind it. */
const isOfSoftware = (m: Candidate, address: string): boolean =>
  /^\d\d?\./.test(address) && (CHANGE.test(leftOf(m)) || (!address.startsWith('10.') && SOFTWARE.test(leftOf(m))))

/** What a provider gives to one customer. */
const SITE = /^\/(?:4[89]|5\d|6[0-4])(?!\d)/

function judgeV6(m: Candidate): number {
  const { value } = m
  const isShort = m.before(1) === ':' && m.before(2) === ':'
  if (!validator.isIP(isShort ? `::${value}` : value, 6) || m.after(1) === ':') return 0
  if (!isShort && m.before(1) === ':') return 0
  // A mask of all ones, no address, and the own machine.
  if (/^(?:(?:ffff:){7}ffff|(?:0{1,4}:){7}0{0,3}[01])$/i.test(value)) return 0
  // A network, unless it is the one of a user.
  if (m.after(1) === '/' && isShort && /^ffff:0:0$/i.test(value)) return 0
  if (m.after(1) === '/' && value.endsWith('::') && !(SITE.test(m.following(4)) && IP.test(leftOf(m)))) return 0
  // Eight pairs of digits are rather a card or a list.
  if (!isShort && !value.includes('::')) return PAIRS.test(value) && m.contextBefore() === 0 ? 0 : 0.95
  // `a::b` may be a name in C++ or Rust. An address has a group of three or more characters, and a digit.
  const groups = value.split(':').filter((group) => group !== '')
  return groups.some((group) => group.length >= 3) &&
    /\d/.test(value) &&
    (groups.length > 2 || /^(?:[23]|f[cde])/i.test(value))
    ? 0.9
    : 0
}
