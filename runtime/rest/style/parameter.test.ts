import { expect, test } from 'vitest'
import { parameter } from '../../fixtures/contract.js'
import { writtenJson } from '../client/carried.js'
import { pathParameters, readPath } from './parameter.js'

test.each([
  ['a list', ['array'], '1,2', ['1', '2']],
  ['an object', ['object'], 'x,1', { x: '1' }],
  ['a text', ['string'], 'a,b', 'a,b'],
])('reads %s in a segment with other text', (_, types, text, value) => {
  const [found] = pathParameters('/files/{p}.json', [parameter('p', types, { in: 'path' })])
  if (found === undefined) throw new Error('There is no parameter')
  expect(readPath(found, text, `/files/${text}.json`, writtenJson, [])).toEqual(value)
})
