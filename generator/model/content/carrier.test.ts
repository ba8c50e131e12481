import { describe, expect, it } from 'vitest'
import type { Document, JsonObject } from '../../document/document.js'
import { sentRequest } from '../../samples/sent-request.js'
import { buildModel } from '../build/build.js'
import { carrierOf } from './carrier.js'

const urlencoded = 'application/x-www-form-urlencoded'
const integer = { type: 'integer' }
const object = { type: 'object', properties: { b: integer } }
const list = { type: 'array', items: integer }

// A client's request shows the carrier: binders read what clients write.
describe('the carrier of a field', () => {
  it.each([
    ['text', integer, 1, 'a=1'],
    ['JSON', object, { b: 1 }, 'a=%7B%22b%22%3A1%7D'],
    ['JSON', { ...object, type: ['object', 'null'] }, { b: 1 }, 'a=%7B%22b%22%3A1%7D'],
    ['JSON', { anyOf: [object, { type: 'null' }] }, null, 'a=null'],
    ['repeated', list, [1, 2], 'a=1&a=2'],
    ['brackets', { type: 'array', items: object }, [{ b: 1 }], 'a%5B0%5D%5Bb%5D=1'],
    ['members', { anyOf: [object, { type: 'string' }] }, { b: 1 }, 'b=1'],
  ])('is %s of %j', async (carrier, schema, value, body) => {
    expect(await shown(schema, undefined, value)).toEqual({ carrier, body })
  })

  it.each([
    ['text', integer, { contentType: 'application/json' }, 1, 'a=1'],
    ['JSON', { type: 'string' }, { contentType: 'application/json' }, 'x', 'a=%22x%22'],
    ['members', object, { style: 'form', explode: true }, { b: 1 }, 'b=1'],
    ['members', object, { allowReserved: true }, { b: 1 }, 'b=1'],
    ['brackets', object, { style: 'deepObject' }, { b: 1 }, 'a%5Bb%5D=1'],
    ['joined form', list, { explode: false }, [1, 2], 'a=1,2'],
    ['joined pipeDelimited', list, { style: 'pipeDelimited' }, [1, 2], 'a=1%7C2'],
  ])('is %s of %j by %j', async (carrier, schema, encoding, value, body) => {
    expect(await shown(schema, encoding, value)).toEqual({ carrier, body })
  })

  it.each([
    ['file', { type: 'string', format: 'binary' }],
    ['file', {}],
    ['repeated files', { type: 'array', items: { type: 'string', format: 'binary' } }],
    ['text', { type: 'string' }],
  ])('is %s of parts of %j', (carrier, schema) => {
    const operation = operationOf('multipart/form-data', schema, undefined)
    const [media] = operation?.rest.body?.media ?? []
    expect(media && carrierOf(media.kind, media.fields?.[0])).toBe(carrier)
  })
})

async function shown(schema: JsonObject, encoding: JsonObject | undefined, value: unknown) {
  const operation = operationOf(urlencoded, schema, encoding)
  const [media] = operation?.rest.body?.media ?? []
  if (operation === undefined || media === undefined) throw new Error('No form')
  const { body } = await sentRequest(operation, { a: value })
  return { carrier: carrierOf(media.kind, media.fields?.[0]), body }
}

function operationOf(type: string, a: JsonObject, encoding: JsonObject | undefined) {
  const schema = { type: 'object', properties: { a } }
  const media = { schema, ...(encoding && { encoding: { a: encoding } }) }
  const post = {
    operationId: 'x',
    requestBody: { content: { [type]: media } },
    responses: { '204': { description: '' } },
  }
  const root = { openapi: '3.1.1', info: { title: 't', version: '1' }, paths: { '/x': { post } } }
  return buildModel(documentOf(root)).model?.operations[0]
}

function documentOf(root: JsonObject): Document {
  return {
    file: 'openapi.json',
    files: [],
    root,
    locate: () => ({ file: 'openapi.json', line: 1, column: 1 }),
  }
}
