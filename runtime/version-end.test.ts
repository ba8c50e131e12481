import { expect, it } from 'vitest'
import { versionEnd } from './version-end.js'

it.each([
  ['1.0.0', ['1.0.0', '1.1.0', '2.0.0', '3.0.0-rc.1'], '2.0.0'],
  ['1.0.0', ['1.0.0', '2.0.0-rc.1', '2.0.0+build-7'], '2.0.0+build-7'],
  ['1.0.0', ['1.0.0', '2.0.0-rc.1', '2.0.0-rc.2'], '2.0.0-rc.2'],
  ['1.0.0', ['0.9.0', '1.0.0'], undefined],
])('%s of %j is followed by the newest release, else by a prerelease', (name, names, successor) => {
  const { refusal, headers } = versionEnd(name, names, { day: '2027-06-30' })
  expect(refusal.members).toEqual({ sunset: '2027-06-30', successor })
  expect(headers.find(({ lower }) => lower === 'api-successor-version')?.value).toBe(successor)
})

it('says since when a version is deprecated only if that is known', () => {
  const names = (sunset: { day: string; deprecated?: string }) =>
    versionEnd('1.0.0', ['1.0.0'], sunset).headers.map(({ name, value }) => `${name}: ${value}`)
  const ends = 'Sunset: Wed, 30 Jun 2027 00:00:00 GMT'
  expect(names({ day: '2027-06-30' })).toEqual([ends])
  expect(names({ day: '2027-06-30', deprecated: '2026-01-01' })).toEqual(['Deprecation: @1767225600', ends])
})
