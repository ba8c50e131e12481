import { expect, test } from 'vitest'
import type { Validator } from './contract.js'
import { pointerTo } from './pointer.js'
import { violationsOf } from './violations.js'

function failed(errors: Validator['errors']): Validator {
  return Object.assign(() => false, { errors: errors ?? [] })
}

test('reports missing and unknown properties at their own paths', () => {
  const validator = failed([
    { instancePath: '', keyword: 'required', message: 'm', params: { missingProperty: 'id' } },
    {
      instancePath: '/a',
      keyword: 'additionalProperties',
      message: 'm',
      params: { additionalProperty: 'b/c~' },
    },
    { instancePath: '/a/0', keyword: 'type', message: 'must be integer', params: { type: 'integer' } },
  ])
  expect(violationsOf(validator, [])).toEqual([
    { path: '/id', keyword: 'required', message: 'm' },
    { path: '/a/b~1c~0', keyword: 'additionalProperties', message: 'm' },
    { path: '/a/0', keyword: 'type', message: 'must be integer' },
  ])
})

test('lists the allowed values if they are few and plain', () => {
  const among = (keyword: string, params: object) => ({
    instancePath: '/a',
    keyword,
    message: 'm',
    params: { ...params },
  })
  const validator = failed([
    among('enum', { allowedValues: ['open', 7, true] }),
    among('const', { allowedValue: 'card' }),
    among('const', { allowedValue: { a: 1 } }),
    among('enum', { allowedValues: ['a', null] }),
    among('enum', { allowedValues: Array.from({ length: 21 }, (_, index) => index) }),
    among('enum', { allowedValues: ['x'.repeat(41)] }),
    among('enum', { allowedValues: ['a', ''] }),
    among('enum', { allowedValues: ['a, b', 'c d'] }),
  ])
  expect(violationsOf(validator, []).map(({ message }) => message)).toEqual([
    'must be one of open, 7, true',
    'must be card',
    ...['m', 'm', 'm', 'm', 'm', 'm'],
  ])
})

test('reports at most 50', () => {
  const errors = Array.from({ length: 80 }, (_, i) => ({
    instancePath: `/${i}`,
    keyword: 'type',
    params: {},
  }))
  expect(violationsOf(failed(errors), [])).toHaveLength(50)
})

test('does not report a value twice', () => {
  const read = [{ path: '/n', keyword: 'exact', message: 'm' }]
  const validator = failed([{ instancePath: '/n', keyword: 'type', message: 'x', params: {} }])
  expect(violationsOf(validator, read)).toEqual(read)
})

test('pointer tokens are escaped as RFC 6901 section 3 says', () => {
  expect(pointerTo('', 'a/b')).toBe('/a~1b')
  expect(pointerTo('', 'm~n')).toBe('/m~0n')
  expect(pointerTo('/x', '')).toBe('/x/')
})

test('marks the end of a path that is too long', () => {
  const name = 'n'.repeat(1000)
  const path = `/${'n'.repeat(199)}…`
  expect(pointerTo('', name)).toBe(path)
  expect(pointerTo(pointerTo('', name), 'more')).toBe(path)
  const validator = failed([
    { instancePath: `/${name}/0`, keyword: 'type', message: 'm', params: {} },
    {
      instancePath: '/b',
      keyword: 'additionalProperties',
      message: 'm',
      params: { additionalProperty: name },
    },
  ])
  const read = [{ path, keyword: 'exact', message: 'm' }]
  const beside = `/b/${'n'.repeat(197)}…`
  expect(violationsOf(validator, read).map((each) => each.path)).toEqual([path, beside])
})

test('leaves out a failed if where the errors of its branch say why', () => {
  const branch = {
    instancePath: '/pet/kind',
    keyword: 'discriminator',
    message: 'must be one of cat, dog',
    params: {},
  }
  const outer = (instancePath: string) => ({
    instancePath,
    keyword: 'if',
    message: 'must match "else" schema',
    params: { failingKeyword: 'else' },
  })
  const found = (...errors: NonNullable<Validator['errors']>) =>
    violationsOf(failed(errors), []).map(({ path, keyword }) => [path, keyword])
  expect(found(branch, outer('/pet'))).toEqual([['/pet/kind', 'discriminator']])
  expect(found(branch, outer(''))).toEqual([['/pet/kind', 'discriminator']])
  expect(found(branch, outer('/pets'))).toEqual([
    ['/pet/kind', 'discriminator'],
    ['/pets', 'if'],
  ])
  expect(found(outer(''))).toEqual([['', 'if']])
})
