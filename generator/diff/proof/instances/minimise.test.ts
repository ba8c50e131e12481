import { describe, expect, it } from 'vitest'
import { isObject } from '../../../document/json.js'
import { minimised } from './minimise.js'

describe('a minimised value', () => {
  it('keeps what the test needs, and nothing else', async () => {
    const value = { a: [1, 2, 3, 4, 5], note: 'long text', keep: { deep: 7.5, other: null } }
    const holds = async (less: unknown) => isObject(less) && isObject(less.keep) && Number(less.keep.deep) > 6
    expect(await minimised(value, holds)).toEqual({ keep: { deep: 7 } })
  })

  it('is no shorter than a bound that has to be broken', async () => {
    const holds = async (less: unknown) => typeof less === 'string' && [...less].length > 3
    expect(await minimised('abcdefgh𝄞', holds)).toBe('abcd')
  })

  it('is the value itself where the test needs all of it', async () => {
    const value = [{ id: 1 }, 'x']
    const holds = async (less: unknown) => JSON.stringify(less) === JSON.stringify(value)
    expect(await minimised(value, holds)).toEqual(value)
  })
})
