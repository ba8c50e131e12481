import { expect, it } from 'vitest'
import { problem } from './problem.js'

it('has a code that the catalogue of some version has; a misspelt one does not compile', () => {
  expect(problem('invalid_credentials', { detail: 'Wrong' })).toMatchObject({
    code: 'invalid_credentials',
    detail: 'Wrong',
  })
  // @ts-expect-error
  problem('not_fuond')
})
