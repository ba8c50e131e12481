import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { version } from '../project/own-package.js'
import { duetDependencies } from './location.js'

it('names the packages by the version of duet itself', () => {
  expect(duetDependencies('/anywhere', false)).toEqual({
    duet: { name: 'duet-api', specifier: `^${version()}` },
    runtime: { name: 'duet-runtime', specifier: `^${version()}` },
  })
})

it('links them by relative paths on request', () => {
  expect(duetDependencies(resolve('examples/shop'), true)).toEqual({
    duet: { name: 'duet-api', specifier: 'file:../../generator' },
    runtime: { name: 'duet-runtime', specifier: 'file:../../runtime' },
  })
})
