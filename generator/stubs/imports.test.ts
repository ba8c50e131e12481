import { describe, expect, it } from 'vitest'
import { specifierFrom } from './imports.js'

describe('a specifier of the top level', () => {
  const far = `${'../'.repeat(60)}api/index.js`

  it.each([
    ['users.ts', '@shop/api/1.0.0', '@shop/api/1.0.0'],
    ['users.ts', '../api/index.js', '../api/index.js'],
    ['more/users.ts', '../api/index.js', '../../api/index.js'],
    ['more/users.ts', './api/index.js', '../api/index.js'],
    ['more/users.ts', './more/api/index.js', './api/index.js'],
    ['users.ts', far, far],
    ['more/users.ts', far, `../${far}`],
  ])('is in %s, for %s, %s', (file, specifier, expected) => {
    expect(specifierFrom(file, specifier)).toBe(expected)
  })
})
