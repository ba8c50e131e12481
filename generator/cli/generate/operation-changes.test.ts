import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadDocument } from '../../load/load.js'
import { buildModel } from '../../model/build/build.js'
import type { Model } from '../../model/model.js'
import { operationChanges } from './operation-changes.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-changes-'))
})

afterEach(() => rmSync(cwd, { recursive: true }))

function model(paths: string, schemas = ''): Model {
  const text = `openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\npaths:\n${paths}components:\n  schemas:\n    None: {}\n${schemas}`
  writeFileSync(join(cwd, 'openapi.yaml'), text)
  const { document } = loadDocument('openapi.yaml', { cwd })
  const built = document && buildModel(document).model
  if (built === undefined) throw new Error('The document has errors')
  return built
}

const operation = (name: string, schema: string) =>
  `  /${name}:\n    get:\n      x-rpc-method: ${name}.get\n      responses: { 200: { description: Done, content: { application/json: { schema: ${schema} } } } }\n`
const item = "{ $ref: '#/components/schemas/Item' }"

it('names new, removed and changed operations', () => {
  const before = model(operation('a', '{ type: string }') + operation('b', '{}') + operation('c', '{}'))
  const after = model(operation('d', '{}') + operation('a', '{ type: integer }') + operation('c', '{}'))
  expect(operationChanges(before, after)).toEqual({
    added: ['d.get'],
    changed: ['a.get'],
    removed: ['b.get'],
  })
})

it('counts changes of referenced parts at any distance, but not moves to another line', () => {
  const schemas = (size: string) =>
    `    Item: { type: object, properties: { size: { $ref: '#/components/schemas/Size' }, next: ${item} } }\n    Size: { type: ${size} }\n`
  const paths = operation('a', item) + operation('b', '{}')
  const before = model(paths, schemas('string'))
  expect(operationChanges(before, model(paths, schemas('integer'))).changed).toEqual(['a.get'])
  const moved = model(`\n\n${paths}`, schemas('string'))
  expect(operationChanges(before, moved)).toEqual({ added: [], changed: [], removed: [] })
})
