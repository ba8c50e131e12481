import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { availableVersions, newestRelease, readSunsets } from './versions.js'

it('lists the versions that have been generated, the newest first', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'billing-generated-'))
  for (const name of ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1', 'dist', 'v3.0.0', 'unfinished', '4.0.0']) {
    await mkdir(join(directory, name))
    if (name !== '4.0.0') await writeFile(join(directory, name, 'manifest.json'), '{}')
  }
  await writeFile(join(directory, '5.0.0'), 'a file')
  expect(availableVersions(directory)).toEqual(['2.0.0-rc.1', '1.10.0', '1.9.0', '1.0.0'])
  await rm(directory, { recursive: true })
})

it('selects the newest release by semantic versioning, never a pre-release', () => {
  expect(newestRelease(['1.9.0', '2.0.0-rc.1', '1.10.0'])).toBe('1.10.0')
  expect(newestRelease(['2.0.0-rc.1'])).toBeUndefined()
})

it('reads the days of sunsets, and refuses what is none', () => {
  const versions = ['1.1.0', '1.0.0']
  expect(readSunsets('1.0.0=2027-06-30, 1.1.0=2028-01-31', versions)).toEqual({
    '1.0.0': { day: '2027-06-30' },
    '1.1.0': { day: '2028-01-31' },
  })
  for (const text of [
    '1.0.0',
    '1.0.0=',
    '1.0.0=soon',
    '1.0.0=2027-13-01',
    '1.0.0=2027-06-31',
    '1.0.0=2027-06-30,1.0.0=2028-01-31',
    '3.0.0=2027-06-30',
    '=2027-06-30',
  ])
    expect(readSunsets(text, versions), text).toBeUndefined()
})
