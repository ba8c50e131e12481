import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const root = new URL('../..', import.meta.url)

test('the list of parts has each package of the service with its version and hash, and no package of the generator or the build', {
  tags: 'long',
}, () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/sbom.mjs'], { cwd: root, encoding: 'utf8' })
  const { bomFormat, metadata, components } = JSON.parse(stdout) as Parts
  expect(bomFormat).toBe('CycloneDX')
  // Whatever the folder of the checkout is called.
  expect(metadata.component.purl).toMatch(/^pkg:npm\/%40billing\/service@/)
  const { dependencies } = JSON.parse(read('service/package.json'))
  for (const [name, version] of Object.entries(dependencies)) {
    if (name.startsWith('@billing/') || name.startsWith('duet-')) continue
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const found = components.find((component) => component.purl === purl)
    expect([name, found?.hashes?.[0]?.alg]).toEqual([name, 'SHA-512'])
  }
  const builds = components.filter(({ purl }) =>
    /^pkg:npm\/(vitest|typescript|ts-morph|duet-api)@/.test(purl ?? ''),
  )
  expect(builds).toEqual([])
  // Packages from the registry. The project's own packages have no hash.
  expect(components.filter(({ hashes, licenses }) => hashes && !licenses?.length)).toEqual([])
})

interface Parts {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}

interface Component {
  readonly purl?: string
  readonly hashes?: readonly { readonly alg: string }[]
  readonly licenses?: readonly unknown[]
}

test('the package duet-templates has each asset', { tags: 'long' }, () => {
  const options = {
    cwd: new URL('templates/', root),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  } as const
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options)
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }]
  const packed = files.map(({ path }) => path)
  const assets = readdirSync(options.cwd, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) => /\.\w+$/.test(path) && !/^(?:pictures|reference\/script|node_modules)(?:\/|$)/.test(path),
    )
  expect(assets.length).toBeGreaterThan(50)
  expect(assets.filter((path) => !packed.includes(path))).toEqual([])
})

test('every image can be given with its digest', () => {
  const from = read('Dockerfile').match(/^FROM .*/gm) ?? []
  const images = read('compose.yaml').match(/^ *(?:image|NODE_IMAGE): .*/gm) ?? []
  // A syntax line would load one more image, by a tag.
  expect(read('Dockerfile')).not.toMatch(/^#\s*syntax\s*=/im)
  expect(from).toHaveLength(2)
  for (const line of from) expect(line).toMatch(/^FROM \$\{NODE_IMAGE\}/)
  expect(images).toHaveLength(3)
  for (const line of images) expect(line).toMatch(/: \$\{[A-Z]+_IMAGE:-/)
})

test.each([
  ['node:22-bookworm-slim', '', 0],
  ['node:22-bookworm-slim', '1', 1],
  ['node:22-bookworm-slim@sha256:0123', '1', 0],
])('the image %s of a release %j is built with status %d', (NODE_IMAGE, RELEASE, status) => {
  const check = /^RUN (case[\s\S]*?esac)$/m.exec(read('Dockerfile'))?.[1] ?? 'exit 2'
  expect(spawnSync('sh', ['-c', check], { env: { NODE_IMAGE, RELEASE } }).status).toBe(status)
})
