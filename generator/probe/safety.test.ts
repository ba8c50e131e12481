import { expect, it } from 'vitest'
import type { Operation } from '../model/model.js'
import { safety } from './safety.js'

it.each([
  ['GET', undefined, 'safe'],
  ['POST', undefined, 'unsafe'],
  // A document may say that a GET changes something.
  ['GET', false, 'unsafe'],
  ['QUERY', true, 'safe'],
])('%s with a tool whose readOnly is %s is %s', (method, readOnly, expected) => {
  const tool = readOnly === undefined ? undefined : { hints: { readOnly, destructive: false } }
  expect(safety({ rest: { method }, tool } as unknown as Operation)).toBe(expected)
})

it('calls no GET safe that its tool calls destructive', () => {
  const tool = { hints: { readOnly: true, destructive: true } }
  expect(safety({ rest: { method: 'GET' }, tool } as unknown as Operation)).toBe('unsafe')
})
