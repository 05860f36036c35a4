/** A real nginx with a server block of a page, TLS and all, on a free port. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, selfSigned } from '../helpers/certificate.ts'

export interface Nginx {
  readonly certificate: Certificate
  stop(): Promise<void>
}

/**
 * @param block as it would be in `conf.d`
 * @param listen where, in place of `listen 443`
 */
export async function startNginx(folder: string, block: string, listen: string): Promise<Nginx> {
  mkdirSync(folder, { recursive: true })
  const certificate = selfSigned()
  const own = block
    .replace('listen 443 ssl', `listen ${listen} ssl`)
    .replace('/etc/nginx/tls/gateway.pem', join(folder, 'gateway.pem'))
    .replace('/etc/nginx/tls/gateway.key', join(folder, 'gateway.key'))
  writeFileSync(join(folder, 'gateway.pem'), certificate.cert)
  writeFileSync(join(folder, 'gateway.key'), certificate.key)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid nginx.pid; error_log stderr notice; events {}
http { access_log off; ${temporary.join(' ')}
${own}
}`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
    if (log.includes('start worker process')) resolve()
  })
  ended.then(() => reject(new Error(`nginx ended:\n${log}`)))
  await promise
  return {
    certificate,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
