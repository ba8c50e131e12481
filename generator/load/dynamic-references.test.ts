import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from './document.js'
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
