import { describe, expect, it } from 'vitest'
import type { ParameterBinding } from './contract/operation.js'
import { readParameter } from './parameter.js'

const list = { types: ['array'], items: { types: ['integer'] } } as const
const base = { name: 'p', param: 'p', required: false, explode: false, coerce: list } as const

describe('the text of a parameter', () => {
  const texts: readonly (readonly [ParameterBinding['in'], ParameterBinding['style'], string])[] = [
    ['path', 'simple', '1,2'],
    ['path', 'label', '.1,2'],
    ['path', 'matrix', ';p=1,2'],
    ['query', 'form', 'p=1,2'],
    ['query', 'pipeDelimited', 'other=3&p=1%7C2'],
    ['header', 'simple', '1, 2'],
    ['cookie', 'form', '1,2'],
  ]
  it.each(texts)('is read as a service reads it: %s, %s', (place, style, text) => {
    expect(readParameter({ ...base, in: place, style }, text)).toEqual({ value: [1, 2], violations: [] })
  })

  it('has no value if the parameter is absent', () => {
    expect(readParameter({ ...base, in: 'query', style: 'form' }, 'q=1').value).toBeUndefined()
  })

  it('that does not fit the style is a violation', () => {
    const found = readParameter({ ...base, in: 'path', style: 'label' }, '1,2')
    expect(found.violations).toMatchObject([{ path: '/p', keyword: 'style' }])
  })
})
