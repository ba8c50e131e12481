import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesOf } from '../generator/emit/version-files.js'
import { runDuet } from './in-process.js'

// The project's document and configuration in a separate folder, as a release engineer has them.
let project: string

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'duet-project-'))
  cpSync('spec/1.0.0', join(project, 'spec/1.0.0'), { recursive: true })
  cpSync('duet.config.json', join(project, 'duet.config.json'))
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  expect((await duet('generate')).code).toBe(0)
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

const duet = (...args: string[]) => runDuet(project, args)

describe('generate --check', () => {
  test('fails on any byte in generated/ that changes, and on any file that is missing', {
    tags: 'long',
  }, async () => {
    const files = readdirSync(join(project, 'generated'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    )
    // The version's with its manifest, four of the package, and the reference: its index, four namespaces, the list of
    // schemas, six schemas, a style, data and two scripts.
    expect(files).toHaveLength(filesOf(false).length + 1 + 4 + 16)
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      const bytes = readFileSync(path)
      const changed = Buffer.from(bytes)
      const middle = changed.length >> 1
      changed[middle] = (changed[middle] ?? 0) ^ 1
      writeFileSync(path, changed)
      expect((await duet('generate', '--check')).code, `changed ${relative(project, path)}`).toBe(1)
      rmSync(path)
      expect((await duet('generate', '--check')).code, `removed ${relative(project, path)}`).toBe(1)
      writeFileSync(path, bytes)
    }
    expect((await duet('generate', '--check')).code).toBe(0)
  })

  test('fails on a file that is extra', async () => {
    const extra = join(project, 'generated/1.0.0/extra.ts')
    writeFileSync(extra, '')
    const check = await duet('generate', '--check')
    rmSync(extra)
    expect(check.code).toBe(1)
    expect(check.out + check.err).toContain('generated/1.0.0/extra.ts')
  })
})

test('an operation added to the document is callable over both protocols with only its handler to write', async () => {
  const path = join(project, 'spec/1.0.0/openapi.yaml')
  const document = readFileSync(path, 'utf8')
  writeFileSync(path, document.replace('\ncomponents:\n', `${addedOperation}\ncomponents:\n`))
  expect(await duet('generate', '1.0.0', '--out', 'api')).toMatchObject({ code: 0, err: '' })

  transpile(join(project, 'api'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(project, 'call.js'), callBoth)
  const output = execFileSync(process.execPath, ['call.js'], { cwd: project, encoding: 'utf8' })
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { status: 200, body: { greeting: 'Hello, Ada!' } },
    { status: 200, body: { jsonrpc: '2.0', id: 1, result: { greeting: 'Hello, Ada!' } } },
  ])
})

/** Transpiles the generated sources without type checks, which other tests do. */
function transpile(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(folder, name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
      },
    })
    writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), outputText)
  }
}

const addedOperation = `
  /greetings/{name}:
    get:
      operationId: greetings.get
      x-provenance: assumed
      summary: Greet somebody.
      security: []
      parameters:
        - name: name
          in: path
          required: true
          x-provenance: assumed
          schema: { type: string }
      responses:
        '200':
          description: The greeting.
          content:
            application/json:
              schema:
                type: object
                required: [greeting]
                properties:
                  greeting: { type: string, x-provenance: assumed }
`

const callBoth = `
import { createServer } from 'node:http'
import { createApi } from './api/index.js'

const handlers = { greetings: { get: ({ name }) => ({ greeting: 'Hello, ' + name + '!' }) } }
const server = createServer(createApi({ handlers, authenticate: () => 'nobody' }).node())
server.listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port
  const rest = await fetch(url + '/greetings/Ada')
  console.log(JSON.stringify({ status: rest.status, body: await rest.json() }))
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'greetings.get', params: { name: 'Ada' } })
  const rpc = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  console.log(JSON.stringify({ status: rpc.status, body: await rpc.json() }))
  server.close()
})
`
