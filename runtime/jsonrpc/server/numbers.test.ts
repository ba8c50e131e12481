import { expect, test } from 'vitest'
import { parseJson } from '../../contract/json.js'
import { inexactByCall } from './numbers.js'

const keys = (text: string) =>
  [...inexactByCall(parseJson(text))].map(([place, { id, params }]) => [
    place,
    id?.path,
    params.map(({ path }) => path),
  ])

test('groups inexact numbers by call: its id, and its params', () => {
  expect(keys('{"id": 1e999, "x": 1e999, "params": {"a": 1e999, "b": [1, 1e999]}}')).toEqual([
    ['', '/id', ['/a', '/b/1']],
  ])
  expect(keys('[1e999, {"params": {"id": 1e999}}, {"id": 1}, {"id": 1e999}]')).toEqual([
    ['/1', undefined, ['/id']],
    ['/3', '/id', []],
  ])
})

test('a call has at most as many violations as a problem reports', () => {
  const numbers = Array(1000).fill('1e999').join()
  const calls = inexactByCall(parseJson(`[{"params": {"a": [${numbers}]}, "id": 1e999}, {"id": 1e999}]`))
  expect(calls.get('/0')?.params).toHaveLength(50)
  expect([calls.get('/0')?.id?.path, calls.get('/1')?.id?.path]).toEqual(['/id', '/id'])
})
