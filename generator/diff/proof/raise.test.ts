import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import type { Comparison } from '../change/change.js'
import { compare } from '../compare.js'
import { prove } from './prove.js'

const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'
const fine = 'responses: { 200: { description: Fine } }'

async function proven(old: string, fresh: string): Promise<Comparison> {
  const sides = await sidesOf(head + old, head + fresh)
  return prove(compare(...sides, { today: '2026-11-21' }), ...sides)
}

const told = ({ changes }: Comparison): string[] =>
  changes.map(({ id, level, protocols, proof }) => [id, level, protocols.join('+'), proof.status].join(' '))

function list(parameters: string): string {
  return `paths: { /a: { get: { operationId: a.list, parameters: [${parameters}], ${fine} } } }\n`
}

it('a removed query parameter breaks, since the call that sends it is refused', async () => {
  const comparison = await proven(list('{ name: id, in: query, schema: { type: string } }'), list(''))
  expect(told(comparison)).toEqual(['request-parameter-removed breaking rest+jsonrpc verified'])
  expect(comparison.verdict).toEqual({ rest: 'breaking', jsonrpc: 'breaking' })
  expect(comparison.bump.required).toBe('major')
})

it('a removed header breaks over JSON-RPC, where it is a param, and stays dangerous over REST', async () => {
  const comparison = await proven(list('{ name: X-Id, in: header, schema: { type: string } }'), list(''))
  expect(told(comparison)).toEqual([
    'request-parameter-removed breaking jsonrpc verified',
    'request-parameter-removed dangerous rest unproven',
  ])
  expect(comparison.verdict).toEqual({ rest: 'dangerous', jsonrpc: 'breaking' })
  expect(new Set(comparison.changes.map(({ fingerprint }) => fingerprint)).size).toBe(2)
})

it('a property that an open answer no longer names stays dangerous, although an answer can show it', async () => {
  const answer = (properties: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: { application/json: {
      schema: { type: object, properties: { ${properties} } } } } } } } } }\n`
  const comparison = await proven(answer('a: { type: string }'), answer(''))
  expect(told(comparison)).toEqual(['response-optional-property-removed dangerous rest+jsonrpc verified'])
})

it('a property of a body that is a list now is refused for that alone', async () => {
  const body = (schema: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: {
      schema: { type: object, properties: { a: ${schema} } } } } }, ${fine} } } }\n`
  const comparison = await proven(
    body('{ type: object, properties: { b: { type: string } } }'),
    body('{ type: array }'),
  )
  expect(told(comparison)).toEqual([
    'request-property-type-changed breaking rest+jsonrpc verified',
    'request-property-removed dangerous rest+jsonrpc unproven',
  ])
})

it('a change that breaks over both protocols and is shown over one is reported once for each', async () => {
  const header = (value: string): string =>
    list(`{ name: X-Id, in: header, schema: { type: array, items: { enum: [${value}] } } }`)
  // No header can have this character.
  const comparison = await proven(header('☃'), header('a'))
  expect(told(comparison)).toEqual([
    'request-parameter-property-enum-value-removed breaking rest unproven',
    'request-parameter-property-enum-value-removed breaking jsonrpc verified',
    'request-parameter-property-enum-value-added compatible rest+jsonrpc not-applicable',
  ])
  expect(new Set(comparison.changes.map(({ fingerprint }) => fingerprint)).size).toBe(3)
})
