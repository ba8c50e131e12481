import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runDuet } from '../../test/in-process.js'

const document = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /a: { $ref: parts.yaml } }
`
const parts = 'get: { x-rpc-method: a.get, responses: { 204: { description: Done } } }\n'

it.each([
  ['openapi.yaml', 'or add a folder for the next version next to it.', undefined],
  [
    'api.yaml',
    'or add a folder for the next version next to it and its document to `specs` in\n   `duet.config.json`.',
    ['spec/1.0.0/api.yaml'],
  ],
])('the README of a project says what a next version needs beside %s', async (name, step, specs) => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, name), document)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    expect(await runDuet(cwd, ['init', 'shop', '--spec', name])).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(cwd, 'shop/README.md'), 'utf8')).toContain(`\`spec/1.0.0/${name}\`, ${step}\n`)
    expect(JSON.parse(readFileSync(join(cwd, 'shop/duet.config.json'), 'utf8')).specs).toEqual(specs)
    // { details: rows?.map(...) } compiles in a handler.
    const { compilerOptions, include } = JSON.parse(readFileSync(join(cwd, 'shop/tsconfig.json'), 'utf8'))
    expect(include).toEqual(['src', 'test', 'adapters'])
    expect(compilerOptions).toMatchObject({ strict: true })
    expect(compilerOptions).not.toHaveProperty('exactOptionalPropertyTypes')
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it.each([
  ['with a path', '{ url: https://shop.test/base/v1 }', '/base/v1'],
  [
    'with variables',
    "{ url: 'https://{h}.test/{v}/', variables: { h: { default: a }, v: { default: v2 } } }",
    '/v2',
  ],
])('calls a service below the base path of its document: %s', async (_, server, base) => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, 'openapi.yaml'), `${document}servers: [${server}]\n`)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    expect(await runDuet(cwd, ['init', 'shop', '--spec', 'openapi.yaml'])).toMatchObject({ code: 0 })
    const readme = readFileSync(join(cwd, 'shop/README.md'), 'utf8')
    expect(readme).toContain(`at \`http://127.0.0.1:8080${base}\` (`)
    expect(readme).toContain(`curl -i http://127.0.0.1:8080${base}/a\n`)
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('prints its next steps as shell commands', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, 'openapi.yaml'), document)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    const { out } = await runDuet(cwd, ['init', "we ird/it's", '--spec', 'openapi.yaml'])
    expect(out).toContain("\n  cd 'we ird/it'\\''s'\n")
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('a project has the selected parts of the document, and its overlays', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  const operation = (id: string) =>
    `{ get: { operationId: ${id}, responses: { 204: { description: Done } } } }`
  const choice = ['--include', 'path:/a/*', 'id:b', '--exclude', 'id:c', '--overlay', 'fix.yaml']
  try {
    writeFileSync(
      join(cwd, 'api.yaml'),
      `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /a/a: ${operation('a')}, /b: ${operation('b')}, /a/c: ${operation('c')}, /d: ${operation('d')} }
`,
    )
    writeFileSync(
      join(cwd, 'fix.yaml'),
      'overlay: 1.0.0\ninfo: { title: Fix, version: 1.0.0 }\nactions: [{ target: $.info, update: { title: Mended } }]\n',
    )
    expect(await runDuet(cwd, ['init', 'shop', '--spec', 'api.yaml', ...choice])).toMatchObject({
      code: 0,
      err: '',
    })
    expect(JSON.parse(readFileSync(join(cwd, 'shop/duet.config.json'), 'utf8'))).toEqual({
      package: 'shop-api',
      specs: ['spec/1.0.0/api.yaml'],
      include: { paths: ['/a/*'], operationIds: ['b'] },
      exclude: { operationIds: ['c'] },
      overlays: ['spec/1.0.0/fix.yaml'],
    })
    const routes = readFileSync(join(cwd, 'shop/generated/1.0.0/express.ts'), 'utf8')
    expect(routes.match(/path: '[^']+'/g)).toEqual(["path: '/a/a'", "path: '/b'"])
    expect(readFileSync(join(cwd, 'shop/generated/1.0.0/index.ts'), 'utf8')).toContain("title: 'Mended'")
    expect(await runDuet(join(cwd, 'shop'), ['generate', '--check'])).toMatchObject({ code: 0 })
    expect((await runDuet(cwd, ['init', 'other', '--spec', 'api.yaml', '--include', 'orders'])).code).toBe(2)
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('a project has the files of its document next to its folder', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  const files = {
    'api/openapi.yaml': document.replace('parts.yaml', 'paths/a.yaml'),
    'api/paths/a.yaml': `get:
  x-rpc-method: a.get
  responses:
    200: { description: A, content: { application/json: { schema: { $ref: '../../common/item.yaml#/Item' } } } }
`,
    'common/item.yaml': 'Item: { type: object, properties: { name: { type: string } } }\n',
  }
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), text)
    }
    const made = await runDuet(cwd, ['init', 'shop', '--spec', 'api/openapi.yaml'])
    expect(made).toMatchObject({ code: 0, err: '' })
    const project = join(cwd, 'shop')
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(project, 'spec/1.0.0', path), 'utf8')).toBe(text)
    const { specs } = JSON.parse(readFileSync(join(project, 'duet.config.json'), 'utf8'))
    expect(specs).toEqual(['spec/1.0.0/api/openapi.yaml'])
    expect(await runDuet(project, ['generate', '--check'])).toMatchObject({ code: 0 })
    expect(await runDuet(project, ['lint'])).toMatchObject({ code: 0, err: '' })
    writeFileSync(join(project, 'spec/1.0.0/common/item.yaml'), 'Item: { type: string }\n')
    expect(await runDuet(project, ['generate', '--check'])).toMatchObject({ code: 1 })
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('a project without a document of its own has a small one, with handlers that compile', {
  tags: 'long',
}, async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    const { code, out, err } = await runDuet(cwd, ['init', 'shop'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^shop: 4 operations of Tasks 1\.0\.0, /)
    const project = join(cwd, 'shop')
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(resolve('node_modules/@types'), join(project, 'node_modules/@types'))
    symlinkSync(resolve('runtime'), join(project, 'node_modules/duet-runtime'))
    symlinkSync(join(project, 'generated'), join(project, 'node_modules/shop-api'))
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(scripts).toMatchObject({ dev: 'node dev.js', scaffold: 'duet scaffold 1.0.0 --out src/handlers' })
    const check = await runDuet(project, ['scaffold', '1.0.0', '--out', 'src/handlers', '--check'])
    expect(check).toEqual({ code: 0, out: 'in step: src/handlers with 1.0.0\n', err: '' })
    expect(await runDuet(project, ['generate', '--check'])).toMatchObject({ code: 0 })
    expect(await runDuet(project, ['lint'])).toMatchObject({ code: 0, err: '' })
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('the workflow of a project compares every document with that of the target branch', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, 'openapi.yaml'), document)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    await runDuet(cwd, ['init', 'shop', '--spec', 'openapi.yaml'])
    const workflow = readFileSync(join(cwd, 'shop/.github/workflows/ci.yml'), 'utf8')
    expect(workflow).toMatch(/BASE: origin\/\$\{\{ github\.base_ref \}\}\n/)
    expect(workflow).toContain('for spec in spec/*/openapi.yaml; do\n')
    expect(workflow).toContain(' diff "git:$BASE:$spec" "$spec" --format github\n')
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('shows where to map problems to error bodies of the document', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  const body = '{ application/json: { schema: { type: object } } }'
  const own = parts.replace('responses: {', `responses: { 404: { description: None, content: ${body} },`)
  try {
    writeFileSync(join(cwd, 'openapi.yaml'), document)
    for (const [folder, operation, isShown] of [
      ['plain', parts, false],
      ['own', own, true],
    ] as const) {
      writeFileSync(join(cwd, 'parts.yaml'), operation)
      expect(await runDuet(cwd, ['init', folder, '--spec', 'openapi.yaml'])).toMatchObject({ code: 0 })
      expect(readFileSync(join(cwd, folder, 'src/api.ts'), 'utf8').includes('errors: (')).toBe(isShown)
    }
    const text = readFileSync(join(cwd, 'own/src/api.ts'), 'utf8').replaceAll(/^ *\/\/ ?/gm, '')
    const [, suggested] = /^ *errors: (.*?\)),\n[A-Z]/ms.exec(text) ?? []
    const errors = new Function(`return ${suggested}`)()
    const problem = { code: 'validation_failed', title: 'Validation failed' }
    const violation = { path: '/token', keyword: 'required', message: 'must be sent' }
    expect(errors({ ...problem, errors: [violation] })).toEqual({
      error: { code: 'validation_failed', message: '/token must be sent' },
    })
    expect(errors({ ...problem, detail: 'No token.' }).error.message).toBe('No token.')
    expect(errors(problem).error.message).toBe('Validation failed')
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('keeps the caller of the test next to the type, and says what to do about a port in use', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    const secured = `components: { securitySchemes: { key: { type: http, scheme: bearer } } }\nsecurity: [{ key: [] }]\n`
    writeFileSync(join(cwd, 'openapi.yaml'), `${document}${secured}`)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    expect(await runDuet(cwd, ['init', 'shop', '--spec', 'openapi.yaml'])).toMatchObject({ code: 0 })
    const read = (path: string) => readFileSync(join(cwd, 'shop', path), 'utf8')
    expect(read('src/handlers/principal.ts')).toMatch(/export interface Principal \{[^}]*\}/)
    expect(read('src/handlers/principal.ts')).toContain('export const testPrincipal: Principal = ')
    expect(read('test/parity.test.ts')).toContain('authenticate: () => testPrincipal, ')
    const [range, used] = [/`(PORT is not a port: .*)`/, /`(Port .* is in use\..*)`/].map(
      (pattern) => pattern.exec(read('src/main.ts'))?.[1],
    )
    expect(range).toMatch(/Name one from 0 to 65535: PORT=8080 npm start$/)
    const inUse = new Function('port', 'host', `return \`${used}\``)
    expect(inUse(8080, '::1')).toBe('Port 8080 of ::1 is in use. Name another: PORT=8081 npm start')
    expect(inUse(65_535, '::1')).toBe('Port 65535 of ::1 is in use. Name another: PORT=65534 npm start')
    // A test straight after the installation finds nothing compiled.
    const { scripts } = JSON.parse(read('package.json'))
    expect(scripts.test).toBe(`${scripts.build} && node --test dist/test/parity.test.js`)
  } finally {
    rmSync(cwd, { recursive: true })
  }
})
