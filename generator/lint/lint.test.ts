import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/runs.js'
import type { Json, JsonObject } from '../document/document.js'
import { clone, isArray, isObject, setOwn } from '../document/json.js'
import { bundle } from '../load/bundle.js'
import { loadDocument } from '../load/load.js'
import { Origins } from '../load/origins.js'
import { parseSource } from '../load/source.js'
import { upgrade } from '../load/upgrade.js'
import { lint } from './lint.js'
import { vocabulary } from './rules/extensions.js'

const full = `
openapi: 3.1.1
info: { title: T, version: 1.0.0 }
servers: [{ url: 'https://{region}.example.com', variables: { region: { default: eu } } }]
security: [{ key: [] }]
x-errors: { credit_exceeded: { title: Credit exceeded, status: 409, rpc: -32010, x-provenance: assumed } }
paths:
  /clients/{id}:
    parameters:
      - { name: id, in: path, required: true, x-provenance: stated, schema: { type: integer } }
      - { name: __tz, in: query, x-provenance: stated, schema: { type: string } }
    get:
      operationId: clients.get
      x-rpc-method: clients.get
      x-errors: [not_found, credit_exceeded]
      x-provenance: stated
      x-stability-level: stable
      deprecated: true
      x-deprecated-since: 2026-01-31
      x-sunset: 2027-06-30T00:00:00Z
      responses:
        '200': { description: Fine, content: { application/json: { schema: { $ref: '#/components/schemas/Client' } } } }
        default: { description: Not fine }
    patch:
      x-rpc-method: clients.update
      x-provenance: inferred
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: { credit: { type: number, default: 0, x-rpc-param: limit, x-provenance: stated } }
      responses: { '204': { description: Fine } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Api-Key } }
  schemas:
    Client:
      type: object
      properties:
        made: { type: [string, 'null'], format: date-time, x-timezone: true, x-provenance: assumed }
        kind: { type: string, x-extensible-enum: [a, b], x-provenance: assumed, pattern: '^[a-z]+$' }
        parent: { $ref: '#/components/schemas/Client', x-provenance: inferred }
`

describe('lint of partly wrong documents', () => {
  it('skips valid parts, unless the whole document depends on them', () => {
    const client = { properties: { a: { minLength: 2, maxLength: 1, 'x-provenance': 'no' } } }
    const root = { openapi: '3.1.1', paths: {}, components: { schemas: { Client: client } } }
    const locate = () => ({ file: 'a.yaml', line: 1, column: 1 })
    const document = { file: 'a.yaml', files: [], root, locate }
    const codes = (sound: ReadonlySet<Json>) =>
      new Set(lint(document, undefined, undefined, sound).map(({ code }) => code))
    expect(codes(new Set())).toContain('schema-contradiction')
    expect(codes(new Set([client]))).not.toContain('schema-contradiction')
    expect(codes(new Set([client]))).toContain('provenance-invalid')
  })
})

describe('lint', () => {
  it('finds nothing in a document that uses the whole vocabulary well', () => {
    expect(check(parse(full))).toEqual([])
  })

  it('never throws and always names a position, whatever a document contains', { tags: 'long' }, () => {
    const hostile = fc.constantFrom<Json>(
      null,
      0,
      -1,
      '',
      'text',
      true,
      [],
      {},
      [null],
      { toString: 1 },
      [{ toString: 1 }],
      { $ref: '#' },
      { $ref: '#/nowhere' },
      { $ref: { $ref: 1 } },
      { constructor: null, length: -1 },
      ['__proto__'],
      { properties: { toString: null } },
      '#/',
      '\u001b',
    )
    const whole = parse(full)
    fc.assert(
      fc.property(fc.nat(), hostile, fc.nat(), hostile, fc.boolean(), (first, one, second, other, isOld) => {
        const root = clone(whole) as JsonObject
        if (isOld) setOwn(root as { [key: string]: Json }, 'openapi', '3.0.3')
        replace(root, first, one)
        replace(root, second, other)
        for (const finding of check(root)) expect(finding.at.line).toBeGreaterThan(0)
      }),
      { numRuns: runs(800, 3000) },
    )
  })

  it('reads exactly the extensions that spec/README.md documents', () => {
    const readme = readFileSync(fileURLToPath(new URL('../../spec/README.md', import.meta.url)), 'utf8')
    const [, table = ''] = /\n\| extension \| on \| value \| means \|\n([\s\S]*?)\n\n/.exec(readme) ?? []
    const documented = [...table.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name)
    expect(new Set(documented)).toEqual(new Set(vocabulary))
  })

  it('finds nothing in the billing document', () => {
    const cwd = fileURLToPath(new URL('../../', import.meta.url))
    const { document, diagnostics } = loadDocument('spec/1.0.0/openapi.yaml', { cwd })
    expect([...diagnostics, ...(document ? lint(document) : [])]).toEqual([])
  })
})

function parse(text: string): JsonObject {
  const { source } = parseSource('a.yaml', '/a.yaml', text)
  if (!isObject(source?.value)) throw new Error('not YAML')
  return clone(source.value) as JsonObject
}

function check(root: JsonObject) {
  const source = {
    path: 'a.yaml',
    absolute: '/a.yaml',
    self: undefined,
    text: '',
    value: root,
    locate: () => ({ file: 'a.yaml', line: 1, column: 1 }),
  }
  const origins = new Origins(source)
  const found = bundle(source, { read: () => undefined }, origins)
  if (String(root.openapi).startsWith('3.0')) upgrade(root, origins)
  return [
    ...found,
    ...lint({ file: 'a.yaml', files: [], root, locate: (pointer) => origins.locate(pointer) }),
  ]
}

/** Replaces one value of the document, chosen by number. Keeps the version. */
function replace(root: JsonObject, choice: number, value: Json): void {
  const places: (() => void)[] = []
  const collect = (holder: Json) => {
    const entries: [string, Json][] = isArray(holder) || isObject(holder) ? Object.entries(holder) : []
    for (const [key, member] of entries) {
      if (holder === root && key === 'openapi') continue
      places.push(() => setOwn(holder as { [key: string]: Json }, key, clone(value)))
      collect(member)
    }
  }
  collect(root)
  places[choice % places.length]?.()
}
