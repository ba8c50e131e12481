import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { runs } from '../../test/runs.js'
import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { formatPointer, parsePointer, valueAt } from '../document/pointer.js'
import { loadDocument } from './load.js'

const cwd = mkdtempSync(join(tmpdir(), 'duet-bundle-'))
afterAll(() => rmSync(cwd, { recursive: true }))

const names = ['Client', 'Order', 'Gateway', 'Rate', 'Owner', 'Tag']

/** Six schemas with arbitrary references to each other, and the file of each (0 is the entry). */
const project = fc.record({
  references: fc.array(fc.array(fc.nat(names.length - 1), { maxLength: 3 }), { minLength: 6, maxLength: 6 }),
  files: fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }),
  json: fc.boolean(),
})

const extension = (file: number, json: boolean) => (json && file > 0 ? 'json' : 'yaml')

function write(references: number[][], files: number[], json: boolean): void {
  const contents: Record<string, Json>[] = [{}, {}, {}]
  for (const [index, name] of names.entries()) {
    const home = files[index] ?? 0
    const properties = Object.fromEntries(
      (references[index] ?? []).map((target, position) => {
        const away = files[target] ?? 0
        const path = away === home ? '' : `part${away}.${extension(away, json)}`
        const pointer = away === 0 ? `#/components/schemas/${names[target]}` : `#/${names[target]}`
        return [`field${position}`, { $ref: `${path}${pointer}` }]
      }),
    )
    const content = contents[home]
    if (content !== undefined) content[name] = { title: name, properties }
  }
  const use = Object.fromEntries(
    names.map((name, index) => {
      const home = files[index] ?? 0
      const reference =
        home === 0 ? `#/components/schemas/${name}` : `part${home}.${extension(home, json)}#/${name}`
      return [name, { $ref: reference }]
    }),
  )
  const root = {
    openapi: '3.1.1',
    info: { title: 'T', version: '1' },
    components: { schemas: { All: { properties: use }, ...contents[0] } },
  }
  writeFileSync(join(cwd, 'part0.yaml'), stringify(root))
  for (const file of [1, 2]) {
    const text = json ? JSON.stringify(contents[file], undefined, 2) : stringify(contents[file])
    writeFileSync(join(cwd, `part${file}.${extension(file, json)}`), text)
  }
}

it('gives the same document however it is spread over files', { tags: 'long' }, () => {
  fc.assert(
    fc.property(project, ({ references, files, json }) => {
      write(
        references,
        files.map(() => 0),
        false,
      )
      const whole = loadDocument('part0.yaml', { cwd }).document?.root
      write(references, files, json)
      const { document, diagnostics } = loadDocument('part0.yaml', { cwd })
      expect(diagnostics).toEqual([])
      expect(document?.root).toEqual(whole)
    }),
    { numRuns: runs(60, 600) },
  )
})

it('locates every key of the result at the same key of a file', () => {
  fc.assert(
    fc.property(project, ({ references, files, json }) => {
      write(references, files, json)
      const { document, files: inputs } = loadDocument('part0.yaml', { cwd })
      if (document === undefined) throw new Error('not loaded')
      for (const pointer of pointersOf(document.root, [])) {
        const { file, line, column } = document.locate(pointer)
        const text = inputs.find(({ path }) => path === file)?.text.split('\n')[line - 1] ?? ''
        const key = parsePointer(pointer)?.at(-1) ?? ''
        expect(text.slice(column - 1).replace(/^"/, ''), `${pointer} at ${file}:${line}:${column}`).toMatch(
          new RegExp(`^${key.replaceAll('$', '\\$')}"?:`),
        )
        expect(valueAt(document.root, parsePointer(pointer) ?? [])).toBeDefined()
      }
    }),
    { numRuns: runs(30, 300) },
  )
})

function pointersOf(value: Json, segments: string[]): string[] {
  const members = isArray(value) ? [] : isObject(value) ? Object.entries(value) : []
  return members.flatMap(([key, member]) => [
    formatPointer([...segments, key]),
    ...pointersOf(member, [...segments, key]),
  ])
}

it('resolves references within a document by its own address', () => {
  const root = {
    openapi: '3.2.0',
    $self: 'https://example.com/api/openapi.yaml',
    info: { title: 'T', version: '1' },
    components: {
      schemas: {
        Client: { $id: 'https://example.com/schemas/client', type: 'object' },
        Owner: { $ref: '/schemas/client' },
        Payer: { $ref: '../schemas/client' },
      },
    },
  }
  writeFileSync(join(cwd, 'self.yaml'), stringify(root))
  const { document, diagnostics } = loadDocument('self.yaml', { cwd })
  expect(diagnostics).toEqual([])
  const at = (name: string) => valueAt(document?.root ?? {}, ['components', 'schemas', name, '$ref'])
  expect([at('Owner'), at('Payer')]).toEqual(['#/components/schemas/Client', '#/components/schemas/Client'])
})
