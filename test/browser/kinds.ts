import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emit } from '../../generator/emit/emit.js'
import { loadDocument } from '../../generator/load/load.js'
import { contractOf } from '../../generator/mock/contract.js'
import { type Mock, startMock } from '../../generator/mock/server.js'
import { buildModel } from '../../generator/model/build/build.js'

/** A mock of operations with fields of every kind, and its reference. */
export function startKinds(): Promise<Mock> {
  return startDocument(description)
}

/** A mock of a document, and its reference. */
export async function startDocument(yaml: string): Promise<Mock> {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-kinds-'))
  writeFileSync(join(cwd, 'openapi.yaml'), yaml)
  const loaded = loadDocument('openapi.yaml', { cwd })
  rmSync(cwd, { recursive: true })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error('The document has no model')
  const contract = await contractOf(await emit(model, loaded.files, 'openapi.yaml'))
  return await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
}

const description = `
openapi: 3.1.0
info: { title: Kinds, version: 1.0.0 }
servers: [{ url: https://kinds.example/v1 }]
paths:
  /things/{kind}:
    post:
      x-rpc-method: things.make
      parameters:
        - { name: kind, in: path, required: true, schema: { enum: [small, large] } }
        - { name: since, in: query, schema: { type: string, format: date-time } }
        - { name: ids, in: query, schema: { type: array, items: { type: integer } } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [price]
              properties:
                price: { type: number, minimum: 0 }
                isNew: { type: boolean }
                note: { type: [string, 'null'] }
                owner: { type: object, properties: { mail: { type: string, format: email } } }
                extra: { type: object, additionalProperties: { type: integer } }
              example: { price: 1 }
      responses: { '204': { description: Made } }
  /things/known/{id}:
    get:
      x-rpc-method: things.get
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer }, example: 7 }
        - name: find
          in: query
          description: Words to *find*, see [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110)
          schema: { type: object, additionalProperties: { type: array, items: { type: string } } }
        - name: marks
          in: query
          description: Marks <b> & more
          schema: { type: array, items: { type: string, description: One *mark* } }
      responses: { '204': { description: Found } }
`
