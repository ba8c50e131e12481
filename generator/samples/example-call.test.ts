import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { exampleCalls } from './example-call.js'

it('has the path param if an optional query parameter shares its name', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-example-call-'))
  try {
    const schema = { type: 'integer', minimum: 7, maximum: 7 }
    const parameters = [
      { name: 'id', in: 'path', required: true, schema },
      { name: 'id', in: 'query', schema },
      { name: 'other', in: 'query', schema },
    ]
    const get = { 'x-rpc-method': 'c.get', parameters, responses: { 204: { description: 'Done' } } }
    const text = { openapi: '3.1.0', info: { title: 'C', version: '1.0.0' }, paths: { '/c/{id}': { get } } }
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(text))
    const { document } = loadDocument('openapi.json', { cwd })
    const model = document && buildModel(document).model
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('The document has no operation')
    expect(exampleCalls(model)(operation).params).toEqual({ id: 7 })
  } finally {
    rmSync(cwd, { recursive: true })
  }
})
