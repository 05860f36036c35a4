import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GatewayError, type OpenRoute, type RouteReply } from 'governed-gateway'

/** The files of the page, by the path they have. */
const FILES: Readonly<Record<string, string>> = {
  '/console': 'index.html',
  '/console/app.css': 'app.css',
  ...Object.fromEntries(
    [
      'api',
      'app',
      'audit',
      'budgets',
      'dom',
      'forms',
      'keys',
      'limits',
      'live',
      'options',
      'playground',
      'plot',
      'problems',
      'settings',
      'system',
      'timeline',
      'traffic',
    ].map((name) => [`/console/${name}.js`, `${name}.js`]),
  ),
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

/** Nothing but this gateway's own files and routes: no inline code, no other site, no frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const

/** Open to all: the page has no data of its own. */
export const pageRoutes = (): readonly OpenRoute[] => {
  const read = new Map<string, RouteReply>()
  return Object.entries(FILES).map(([path, file]) => ({
    method: 'GET',
    path,
    auth: 'none',
    handle: () => {
      const known = read.get(file)
      if (known !== undefined) return known
      const contentType = `${TYPES[file.slice(file.lastIndexOf('.') + 1)]}; charset=utf-8`
      const answer = { contentType, headers: HEADERS, text: readFileSync(join(folder(), file), 'utf8') }
      read.set(file, answer)
      return answer
    },
  }))
}

/** Beside this file, or in the package when it runs from `dist`. */
function folder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    for (const page of [join(at, 'page'), join(at, 'plugins/console/page')]) {
      if (existsSync(join(page, 'index.html'))) return page
    }
  }
  throw new GatewayError('GW_INTERNAL', 'The files of the console are not installed.')
}
