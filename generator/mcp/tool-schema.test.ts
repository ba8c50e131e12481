import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../document/document.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { adviceOn } from './advice.js'
import { ToolSchemas } from './tool-schema.js'

const user = {
  type: 'object',
  required: ['id', 'password', 'name'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', readOnly: true },
    password: { type: 'string', writeOnly: true },
    name: { type: 'string' },
    credit: { type: 'number', multipleOf: 0.01 },
  },
}
const content = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } }

function modelOf(tool: object | boolean, body: object = content) {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-tool-schema-'))
  try {
    const parameters = [{ name: 'at', in: 'query', required: true, schema: { type: 'integer', minimum: 5 } }]
    const responses = { 200: { description: 'Fine', content } }
    const post = {
      'x-rpc-method': 'users.create',
      'x-mcp': tool,
      parameters,
      requestBody: { required: true, content: body },
      responses,
    }
    const info = { title: 'Users', version: '1.0.0' }
    const text = {
      openapi: '3.1.0',
      info,
      paths: { '/users': { post } },
      components: { schemas: { User: user } },
    }
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(text))
    const { document } = loadDocument('openapi.json', { cwd })
    const model = document && buildModel(document).model
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('The document has errors')
    return { model, operation, schemas: new ToolSchemas(model) }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

it('has no read-only member in arguments, and no write-only one in results', () => {
  const { operation, schemas } = modelOf(true)
  const names = (schema: JsonObject | undefined) => [
    Object.keys(schema?.properties ?? {}).sort(),
    schema?.required,
  ]
  expect(names(schemas.input(operation).schema)).toEqual([
    ['at', 'credit', 'name', 'password'],
    ['at', 'name', 'password'],
  ])
  expect(names(schemas.output(operation)?.schema)).toEqual([
    ['credit', 'id', 'name'],
    ['id', 'name'],
  ])
})

it('states multiples of a decimal in words: clients that divide doubles would refuse values such as 1.13', () => {
  const { operation, schemas } = modelOf(true)
  const credit = (schema: JsonObject | undefined) =>
    (schema?.properties as { credit?: object } | undefined)?.credit
  const description = 'Must be a multiple of 0.01.'
  expect(credit(schemas.input(operation).schema)).toEqual({ type: 'number', description })
  expect(credit(schemas.output(operation)?.schema)).toEqual({ type: 'number' })
})

it('proves a schema with a member named as the prototype of objects', () => {
  const fields = JSON.parse('{ "__proto__": { "type": "integer" }, "name": { "type": "string" } }')
  const body = { 'application/json': { schema: { type: 'object', properties: fields } } }
  const { operation, schemas } = modelOf({ fixed: JSON.parse('{ "__proto__": 7 }') }, body)
  expect(schemas.input(operation).schema).toMatchObject({ required: ['at'], properties: { name: {} } })
  expect(Object.keys(schemas.input(operation).schema.properties ?? {})).not.toContain('__proto__')
})

it('shows a file as base64 text', () => {
  const file = {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' } },
  }
  const { operation, schemas } = modelOf(true, { 'multipart/form-data': { schema: file } })
  const { properties } = schemas.input(operation).schema
  expect(properties).toMatchObject({ file: { type: 'string', contentEncoding: 'base64' } })
})

it.each([{ fixed: { at: 7 } }, true])('is not called wider for what agents do not send: %j', (tool) => {
  expect(adviceOn(modelOf(tool).model)).toEqual([])
})
