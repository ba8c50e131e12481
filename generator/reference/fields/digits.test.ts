import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { loadDocument } from '../../load/load.js'
import { buildModel } from '../../model/build/build.js'
import { emitReference } from '../site.js'

// No double holds these numbers: each begins with digits of its own, so that a page with a rounded one lacks it.
const document = `
openapi: 3.1.1
info: { title: Bank, version: 1.0.0 }
paths:
  /transfers/{share}:
    post:
      x-rpc-method: transfers.create
      parameters:
        - { name: share, in: path, required: true, schema: { type: number, exclusiveMinimum: 0.11234567890123456789, exclusiveMaximum: 0.12234567890123456789 } }
        - { name: step, in: query, schema: { type: number, multipleOf: 0.13234567890123456789 } }
        - { name: kind, in: query, required: true, schema: { enum: [1.15234567890123456789, 2] } }
        - { name: level, in: query, schema: { $ref: '#/components/schemas/Level' } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [amount, fee]
              properties:
                amount: { type: number, minimum: 1.17234567890123456789, maximum: 1.18234567890123456789 }
                fee: { type: number, default: 1.19234567890123456789 }
                parts: { type: object, properties: { first: { const: 1.21234567890123456789 } }, default: { second: 1.22234567890123456789 } }
                list: { type: array, items: { type: number }, default: [1.23234567890123456789] }
                rank: { $ref: '#/components/schemas/Level', default: 1.28734567890123456789 }
      responses:
        '200':
          description: Done
          content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } }
components:
  schemas:
    Level: { type: number, minimum: 1.28234567890123456789, maximum: 1.29234567890123456789 }
    Account:
      type: object
      properties:
        shares: { type: array, items: { enum: [1.35234567890123456789, 3] } }
        credit: { type: number, minimum: 1.31234567890123456789, default: 1.32234567890123456789, example: 1.33234567890123456789 }
        limit: { allOf: [{ $ref: '#/components/schemas/Level' }], default: 1.28634567890123456789 }
`

let pages = new Map<string, string>()

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-digits-'))
  writeFileSync(join(cwd, 'openapi.yaml'), document)
  const loaded = loadDocument('openapi.yaml', { cwd })
  rmSync(cwd, { recursive: true })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error('The document has no model')
  pages = await emitReference(model, { versions: [], module: 'bank/client' })
})

const written = [...new Set(document.match(/\d\.\d{20}\b/g))]

it.each(written)('shows all digits of %s, and never a rounded number', (number) => {
  const html = [...pages].filter(([path]) => path.endsWith('.html')).map(([, page]) => page)
  // A request, and the form that sends it, have the number that is sent: a double.
  const text = html
    .join('\n')
    .replaceAll(
      /<div class="card samples[^"]*">.*?(?:<div class="card answers">|<\/main>)|<script.*?<\/script>/gs,
      '',
    )
  const begun = text.match(new RegExp(`${number.slice(0, 6).replace('.', '\\.')}\\d*`, 'g')) ?? []
  expect([...new Set(begun)]).toEqual([number])
})
