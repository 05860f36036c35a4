/** The unit, the image and the manifests of `config/` fit the gateway and each other. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { validate } from 'dockerfile-utils'
import { parseAllDocuments } from 'yaml'
import { bundledSpecs } from '../../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { parseConfig } from '../../core/gateway/config/load.ts'
import { temporaryFolder } from '../helpers/folder.ts'

const noSystemd =
  spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0
    ? false
    : 'systemd-analyze is not installed'

const read = (...path: string[]): string => readFileSync(join(PACKAGE_ROOT, ...path), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes.
type Manifest = Record<string, any>

/** A manifest as a value of its type, so that the compiler finds what Kubernetes would not know. */
function typed(manifest: Manifest, i: number): string {
  const [group, version] = String(manifest.apiVersion).includes('/') ? manifest.apiVersion.split('/') : ['core', 'v1']
  const type = `import('kubernetes-types/${group}/${version}.d.ts').${manifest.kind}`
  return `export const manifest${i}: ${type} = ${JSON.stringify(manifest, null, 1)}\n`
}

describe('Kubernetes', () => {
  const objects = parseAllDocuments(read('config', 'kubernetes', 'governed-gateway.yaml')).map(
    (one) => one.toJS() as Manifest,
  )
  const of = (kind: string): Manifest => objects.find((one) => one.kind === kind) ?? assert.fail(kind)
  const pod = of('Deployment').spec.template.spec
  const [container] = pod.containers
  const env = { OPENAI_API_KEY: 'sk-test', GATEWAY_KEY_HASH: `sha256:${'a'.repeat(64)}`, METRICS_TOKEN: 'a-token-0123' }
  const config = parseConfig(of('ConfigMap').data['gateway.yaml'], 'gateway.yaml', {
    ...env,
    SERVICE_STORE: 'rediss://:password@redis.example.com:6379',
    SERVICE_SECRET: 'x'.repeat(32),
  })

  it('has every part, and their labels and ports fit', () => {
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ['ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget', 'ServiceMonitor'],
    )
    const { labels } = of('Deployment').spec.template.metadata
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      assert.deepEqual(of(kind).spec.selector.matchLabels, labels)
    assert.deepEqual(of('Service').spec.selector, labels)
    assert.deepEqual(of('ServiceMonitor').spec.selector.matchLabels, of('Service').metadata.labels)
    assert.equal(container.ports[0].containerPort, config.listen.port)
    assert.equal(of('Service').spec.ports[0].targetPort, container.ports[0].name)
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      assert.match(container[probe].httpGet.path, /^\/health\/(live|ready)$/)
    }
  })

  it('has only fields that Kubernetes knows, with values of their types', (t) => {
    const folder = mkdtempSync(join(PACKAGE_ROOT, 'node_modules', '.gw-manifests-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const own = objects.filter(({ kind }) => kind !== 'ServiceMonitor')
    const faultsIn = (text: string): string[] => {
      const file = join(folder, 'manifests.ts')
      writeFileSync(file, text)
      const options =
        '--noEmit --strict --skipLibCheck --ignoreConfig --checkers 1 --module nodenext --pretty false'.split(' ')
      const { stdout } = spawnSync(join(PACKAGE_ROOT, 'node_modules', '.bin', 'tsc'), [...options, file], {
        encoding: 'utf8',
      })
      return stdout.split('\n').filter((line) => line.includes('error'))
    }
    const text = own.map(typed).join('')
    const wrong = text.replace('"readinessProbe"', '"readinesProbe"').replace('"replicas": 2', '"replicas": "2"')
    const faults = faultsIn(text + wrong.replaceAll('export const ', 'export const wrong'))
    assert.equal(faults.length, 2, faults.join('\n'))
    assert.match(faults.join(), /'string' is not assignable to type 'number'.*readinesProbe/)
  })

  it('gives the gateway time to drain, and no rights', () => {
    const { pre_stop_seconds: preStop = 0, drain_seconds: drain } = config.listen
    assert.ok(pod.terminationGracePeriodSeconds >= preStop + drain + 30)
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.equal(container.securityContext.readOnlyRootFilesystem, true)
    assert.deepEqual(container.securityContext.capabilities.drop, ['ALL'])
    assert.ok(config.audit.spill_folder?.startsWith(container.volumeMounts[1].mountPath))
  })

  it('scrapes the page of the plugin with its token', async () => {
    const [endpoint] = of('ServiceMonitor').spec.endpoints
    const metrics = (await bundledSpecs()).find(({ name }) => name === 'metrics')
    assert.ok(metrics !== undefined)
    const { properties } = metrics.schema as { properties: { path: { default: string } } }
    assert.equal(endpoint.path, properties.path.default)
    assert.equal(endpoint.authorization.credentials.key, 'METRICS_TOKEN')
    assert.deepEqual(config.plugins[0]?.options, { token: env.METRICS_TOKEN })
  })
})

it('the unit is the one of the page', () => {
  const [, page] = /```ini\n(.*?)```/s.exec(read('docs', 'production.md')) ?? []
  assert.equal(read('config', 'systemd', 'governed-gateway.service').replace(/^#.*\n/, ''), page)
})

it('systemd finds no fault in the unit', { skip: noSystemd }, () => {
  const folder = temporaryFolder()
  const unit = join(folder, 'governed-gateway.service')
  // The program would have to be installed.
  writeFileSync(
    unit,
    read('config', 'systemd', 'governed-gateway.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'),
  )
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  assert.deepEqual([status, stdout + stderr], [0, ''])
  const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
    encoding: 'utf8',
  })
  assert.equal(rated.status, 0, `an exposure above 2.0:\n${rated.stdout}`)
})

it('a linter finds no fault in the Containerfile', () => {
  const faults = validate(read('config', 'container', 'Containerfile'))
  assert.deepEqual(
    faults.map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    [],
  )
  assert.equal(validate('FROM x\nRUNN y').length, 1)
})

it('the image runs the command of the package, as a user without rights, and tells its health', () => {
  const file = read('config', 'container', 'Containerfile')
  const { bin, files } = JSON.parse(read('package.json')) as { bin: Record<string, string>; files: string[] }
  assert.match(
    file,
    new RegExp(`ENTRYPOINT \\["/nodejs/bin/node", "/app/node_modules/governed-gateway/${bin['governed-gateway']}"\\]`),
  )
  assert.match(file, /\nUSER 65532:65532\n/)
  assert.match(file, /\nHEALTHCHECK [^\n]*\\\n.*\/health\/live/)
  for (const folder of files.filter((name) => /^[a-z]+$/.test(name) && name !== 'dist')) {
    assert.match(file, new RegExp(`\nCOPY ${folder} ${folder}\n`))
  }
})
