/** Words that make a `key` a credential. */
import { SERVICE_NAMES } from './services.ts'

/** `key` alone has many meanings; after one of these words it is a credential. */
const KEY_QUALIFIERS = new Set(
  (
    'api access secret _s token private priv encryption encrypt decryption signing signature auth account master service app application consumer client shared ' +
    'storage license licence security ssh deploy admin webhook hmac jwt aes root server write read ingest subscription function functions host ' +
    'integration routing user primary secondary sas symmetric cookie session crypto vendor developer dev prod live project org team bot wifi wlan openai ' +
    'stripe aws azure azure_search azuresearch google github datadog algolia mailgun sendgrid twilio cohere mistral anthropic gemini ' +
    SERVICE_NAMES.replaceAll('·', '')
  ).split(' '),
)

const LONGEST_QUALIFIER = 15
const isLetterOf = (code: number): boolean => (code > 96 && code < 123) || (code > 64 && code < 91) || code === 95

/** Qualifiers may be joined (`apikey`, `myApiKey`), so check every ending of the word. */
export function endsWithQualifier(left: string): boolean {
  const end = /[ \t_.-]$/.test(left) ? left.length - 1 : left.length
  let from = end
  while (from > 0 && from > end - LONGEST_QUALIFIER && isLetterOf(left.charCodeAt(from - 1))) from--
  const word = left.slice(from, end).toLowerCase()
  for (let i = 0; i <= word.length - 2; i++) if (KEY_QUALIFIERS.has(word.slice(i))) return true
  return false
}
