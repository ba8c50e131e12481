import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../document/document.js'
import { loadDocument } from './load.js'

const generics = `
openapi: 3.1.1
info: { title: Generics, version: 1.0.0 }
paths: {}
components:
  schemas:
    Page:
      type: object
      properties: { items: { type: array, items: { $dynamicRef: '#item' } } }
      $defs: { item: { $dynamicAnchor: item, not: {} } }
    Named: { allOf: [{ $ref: '#/components/schemas/Page' }, { required: [name] }] }
    Users:
      $ref: '#/components/schemas/Page'
      $defs: { item: { $dynamicAnchor: item, $ref: '#/components/schemas/User' } }
    Orders:
      $ref: '#/components/schemas/Named'
      $defs: { item: { $dynamicAnchor: item, type: integer } }
    User: { type: object }
    Tree:
      $dynamicAnchor: node
      type: object
      properties: { children: { type: array, items: { $dynamicRef: '#node' } } }
    Strict: { $dynamicAnchor: node, $ref: '#/components/schemas/Tree', unevaluatedProperties: false }
`

it('makes no more copies than a document needs, however often templates refer to each other', () => {
  const level = (n: number) => {
    const next = `{ $ref: '#/components/schemas/L${n + 1}' }`
    return `    L${n}: { properties: { a: ${next}, b: ${next} } }\n`
  }
  const levels = Array.from({ length: 40 }, (_, n) => level(n)).join('')
  const text = `${generics}${levels}    L40: { $dynamicRef: '#item' }
    Start: { $ref: '#/components/schemas/L0', $defs: { item: { $dynamicAnchor: item } } }
`
  const folder = mkdtempSync(join(tmpdir(), 'duet-generics-'))
  writeFileSync(join(folder, 'openapi.yaml'), text)
  const { document } = loadDocument('openapi.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  expect(JSON.stringify(document?.root).length).toBeLessThan(5_000_000)
})

it('reports a chain of references that is too long to be copied', () => {
  const link = (n: number) =>
    `    C${n}: { properties: { next: { $ref: '#/components/schemas/C${n + 1}' } } }\n`
  const chain = Array.from({ length: 4000 }, (_, n) => link(n)).join('')
  const text = `${generics}${chain}    C4000: { $dynamicRef: '#item', $defs: { item: { $dynamicAnchor: item } } }
    Start: { $ref: '#/components/schemas/C0', $defs: { item: { $dynamicAnchor: item } } }
`
  const folder = mkdtempSync(join(tmpdir(), 'duet-generics-'))
  writeFileSync(join(folder, 'openapi.yaml'), text)
  const { diagnostics } = loadDocument('openapi.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    [
      'reference-anchor',
      'the schema needs more than 5000 copies, or more than 400 levels, for its dynamic references',
    ],
  ])
})

it('gives each schema that gives an anchor anew a copy of the generic one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-generics-'))
  writeFileSync(join(folder, 'openapi.yaml'), generics)
  const { document, diagnostics } = loadDocument('openapi.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  expect(diagnostics).toEqual([])
  const { schemas } = (document?.root.components ?? {}) as { schemas?: JsonObject }
  const page = (to: string) => ({
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: to } } },
  })
  expect(schemas).toMatchObject({
    Users: {
      allOf: [page('#/components/schemas/Users/$defs/item')],
      $defs: { item: { $ref: '#/components/schemas/User' } },
    },
    Orders: {
      allOf: [
        { allOf: [{ allOf: [page('#/components/schemas/Orders/$defs/item')] }, { required: ['name'] }] },
      ],
    },
    Page: page('#/components/schemas/Page/$defs/item'),
    Strict: {
      allOf: [{ properties: { children: { items: { $ref: '#/components/schemas/Strict' } } } }],
      unevaluatedProperties: false,
    },
    Tree: { properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } },
  })
})

it('finds the generic schema by the `$id` that a reference names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-generics-'))
  const text = `
openapi: 3.1.1
info: { title: Generics, version: 1.0.0 }
paths: {}
components:
  schemas:
    Page:
      $id: https://a.example/page
      properties: { items: { type: array, items: { $dynamicRef: '#item' } } }
      $defs: { item: { $dynamicAnchor: item } }
    Users:
      $id: https://a.example/users
      $ref: page
      $defs: { item: { $dynamicAnchor: item, type: integer } }
`
  writeFileSync(join(folder, 'openapi.yaml'), text)
  const { document, diagnostics } = loadDocument('openapi.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  expect(diagnostics).toEqual([])
  const { schemas } = (document?.root.components ?? {}) as { schemas?: JsonObject }
  const items = { type: 'array', items: { $ref: '#/components/schemas/Users/$defs/item' } }
  expect(schemas?.Users).toMatchObject({ allOf: [{ properties: { items } }] })
})

it('binds the anchor of a generic schema in another file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-generics-'))
  const text = `
openapi: 3.1.1
info: { title: Generics, version: 1.0.0 }
paths: {}
components:
  schemas:
    Users: { $ref: 'page.yaml#/Page', $defs: { item: { $dynamicAnchor: item, type: integer } } }
`
  const page = `
Page:
  properties: { items: { type: array, items: { $dynamicRef: '#item' } } }
  $defs: { item: { $dynamicAnchor: item } }
`
  writeFileSync(join(folder, 'openapi.yaml'), text)
  writeFileSync(join(folder, 'page.yaml'), page)
  const { document, diagnostics } = loadDocument('openapi.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  expect(diagnostics).toEqual([])
  const { schemas } = (document?.root.components ?? {}) as { schemas?: JsonObject }
  const items = { type: 'array', items: { $ref: '#/components/schemas/Users/$defs/item' } }
  expect(schemas?.Users).toMatchObject({ allOf: [{ properties: { items } }] })
})
