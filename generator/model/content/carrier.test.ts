import { readForm } from 'duet-runtime/parameter'
import { describe, expect, it } from 'vitest'
import type { Document, JsonObject } from '../../document/document.js'
import { sentRequest } from '../../samples/sent-request.js'
import { buildModel } from '../build/build.js'
import { carrierOf } from './carrier.js'

const urlencoded = 'application/x-www-form-urlencoded'
const integer = { type: 'integer' }
const object = { type: 'object', properties: { b: integer } }
const textMember = { type: 'object', properties: { k: { type: 'string' } } }
const both = { type: 'object', properties: { k: { type: 'string' }, n: integer } }
const exploded = { style: 'form', explode: true }
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
    ['brackets', { anyOf: [object, { type: 'string' }] }, { b: 1 }, 'a%5Bb%5D=1'],
    ['brackets', { anyOf: [{ type: 'object' }, { type: 'string' }] }, { b: 'x' }, 'a%5Bb%5D=x'],
  ])('is %s of %j', async (carrier, schema, value, body) => {
    expect(await shown(schema, undefined, value)).toEqual({ carrier, body })
  })

  it.each([
    ['text', integer, { contentType: 'application/json' }, 1, 'a=1'],
    ['JSON', { type: 'string' }, { contentType: 'application/json' }, 'x', 'a=%22x%22'],
    ['members', object, { style: 'form', explode: true }, { b: 1 }, 'b=1'],
    ['members', object, { allowReserved: true }, { b: 1 }, 'b=1'],
    ['members', { properties: { b: { type: 'string' } } }, { style: 'form' }, { b: 'x' }, 'b=x'],
    ['members', { properties: { b: { type: 'string' }, c: integer } }, exploded, { b: 'x', c: 1 }, 'b=x&c=1'],
    ['members', { type: 'object', additionalProperties: integer }, exploded, { b: 1 }, 'b=1'],
    [
      'brackets',
      { properties: { b: { type: 'string' } } },
      { style: 'deepObject' },
      { b: 'x' },
      'a%5Bb%5D=x',
    ],
    ['brackets', object, { style: 'deepObject' }, { b: 1 }, 'a%5Bb%5D=1'],
    ['joined form', list, { explode: false }, [1, 2], 'a=1,2'],
    ['joined pipeDelimited', list, { style: 'pipeDelimited' }, [1, 2], 'a=1%7C2'],
  ])('is %s of %j by %j', async (carrier, schema, encoding, value, body) => {
    expect(await shown(schema, encoding, value)).toEqual({ carrier, body })
  })

  it.each([
    ['a text', { a: textMember }, 'k=x', { a: { k: 'x' } }],
    ['a number beside a text', { a: both }, 'k=x&n=1', { a: { k: 'x', n: 1 } }],
    ['the field of its name first', { a: textMember, k: { type: 'string' } }, 'k=x', { k: 'x' }],
    ['any name', { a: { type: 'object' }, z: { type: 'string' } }, 'k=x&z=y', { a: { k: 'x' }, z: 'y' }],
    ['brackets as well', { a: textMember }, 'a%5Bk%5D=x', { a: { k: 'x' } }],
  ])('members that are fields of their own are read: %s', (_, properties, text, params) => {
    const post = postOf(urlencoded, { type: 'object', properties }, { a: exploded })
    const [media] = built(post)?.rest.body?.media ?? []
    expect(media && readForm(media, text)).toEqual({ params, violations: [] })
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
  return built(postOf(type, { type: 'object', properties: { a } }, encoding && { a: encoding }))
}

function postOf(type: string, schema: JsonObject, encoding: JsonObject | undefined): JsonObject {
  return {
    operationId: 'x',
    requestBody: { content: { [type]: { schema, ...(encoding && { encoding }) } } },
    responses: { '204': { description: '' } },
  }
}

function built(post: JsonObject) {
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
