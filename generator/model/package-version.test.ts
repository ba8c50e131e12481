import fc from 'fast-check'
import parse from 'semver/functions/parse.js'
import { expect, it } from 'vitest'
import { packageVersion } from './package-version.js'

it.each([
  ['1.2.3', '1.2.3'],
  ['v1.2.3', '1.2.3'],
  ['2.0.0-rc.1', '2.0.0-rc.1'],
  ['1.2.3+build.5', '1.2.3'],
  ['3', '3.0.0'],
  ['v3', '3.0.0'],
  ['1.0', '1.0.0'],
  ['2.15', '2.15.0'],
  ['01.02', '1.2.0'],
  ['2020-09-14_1.697.4', '1.697.4'],
  ['2020-09-14', '2020.9.14'],
  ['2024-10-28.acacia', '2024.10.28'],
  ['1.2.3.4', '1.2.3-4'],
  ['1.0-beta', '1.0.0-beta'],
  ['v2beta1', '2.0.0-beta1'],
  ['1.0-BETA2', '1.0.0-beta2'],
  ['1.0 (predicted)', '1.0.0'],
  ['latest', '0.0.0'],
  ['', '0.0.0'],
  ['99999999999999999999', '0.0.0'],
])('%j is %s', (version, expected) => expect(packageVersion(version)).toBe(expected))

it('gives every text a version that npm accepts, and keeps valid ones', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^v?\d{1,4}([._ -]?(\d{1,4}|beta|rc)){0,6}$/)),
      (text) => {
        const version = packageVersion(text)
        expect(parse(version)?.version).toBe(version)
        expect(packageVersion(version)).toBe(version)
      },
    ),
  )
})
