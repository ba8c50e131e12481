import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import type { Json } from '../../document/document.js'
import { compare } from '../compare.js'
import { prove } from './prove.js'

const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'

function taking(schema: string): string {
  return `${head}paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: {
    schema: { type: object, required: [v], properties: { v: ${schema} } } } } }, responses: { 200: { description: Fine } } } } }\n`
}

async function proven(old: string, fresh: string): Promise<unknown[]> {
  const sides = await sidesOf(taking(old), taking(fresh))
  const { changes } = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
  return changes.map(({ id, level, proof }): (Json | undefined)[] => [
    level,
    id,
    proof.status === 'verified' ? proof.value : proof.status,
  ])
}

it('proves that a call breaks which left a default to the validators', async () => {
  const item = (usual: string): string =>
    `{ type: array, items: { type: object, required: [a], properties: { a: { type: integer${usual} } } } }`
  expect(await proven(item(', default: 1'), item(''))).toEqual([
    ['breaking', 'request-property-default-value-removed', { v: [{}] }],
  ])
})

it('proves that a call breaks in which a default is one property too many', async () => {
  const object = (usual: string): string =>
    `{ type: object, maxProperties: 1, properties: { a: { type: integer${usual} }, b: { type: integer } } }`
  expect(await proven(object(''), object(', default: 1'))).toEqual([
    ['breaking', 'request-property-default-value-added', { v: { b: 0 } }],
  ])
})

it('proves that every call breaks whose name for a default is refused', async () => {
  const object = (more: string): string => `{ type: object, propertyNames: { maxLength: 5 }${more} }`
  expect(await proven(object(''), object(', properties: { longer: { type: integer, default: 1 } }'))).toEqual(
    [['breaking', 'new-optional-request-property', { v: {} }]],
  )
})

it('proves that a call breaks which only the default made valid', async () => {
  const object = (usual: string): string =>
    `{ type: object, minProperties: 1, properties: { a: { type: integer${usual} } } }`
  expect(await proven(object(', default: 1'), object(''))).toEqual([
    ['breaking', 'request-property-default-value-removed', { v: {} }],
  ])
})

it('proves that a call breaks whose default is in a branch now', async () => {
  const object = '{ type: object, minProperties: 1, properties: { a: { type: integer, default: 1 } } }'
  expect(await proven(object, `{ anyOf: [${object}, { type: 'null' }] }`)).toEqual([
    ['breaking', 'request-property-default-value-removed', { v: {} }],
    ['compatible', 'request-property-became-nullable', 'not-applicable'],
  ])
})
