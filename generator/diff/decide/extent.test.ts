// @module-tag long

import { expect, it } from 'vitest'
import { compared } from '../../../test/diff/compared.js'
import type { Json } from '../../document/document.js'

// Schemas that lead to more others than a search may read.

const large: Json = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`p${index}`, { type: 'string', maxLength: index + 1 }]),
  ),
}
const branch = (kind: string): Json => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: kind }, large: { $ref: '#/components/schemas/Large' } },
})

function document(schema: Json): string {
  const content = { 'application/json': { schema } }
  const responses = { 200: { description: 'Fine', content } }
  const paths = { '/a': { get: { operationId: 'a.get', responses } } }
  const info = { title: 'Shop', version: '1.0.0' }
  return JSON.stringify({ openapi: '3.1.1', info, paths, components: { schemas: { Large: large } } })
}

it('what both versions have in a large schema need not be read for a proof', async () => {
  const branches = [branch('a'), branch('b')]
  const { verdict } = await compared(document({ oneOf: branches }), document({ anyOf: branches }))
  expect(verdict).toEqual({ rest: 'identical', jsonrpc: 'identical' })
})

it('a large schema of which more has to be known is not decided', async () => {
  const branches = [branch('a'), branch('b')]
  const wider = { anyOf: [...branches, { type: 'object', properties: { p0: { maxLength: 2 } } }] }
  const { verdict } = await compared(document({ oneOf: branches }), document(wider))
  expect(verdict).toEqual({ rest: 'dangerous', jsonrpc: 'dangerous' })
})
