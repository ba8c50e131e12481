import { expect, it } from 'vitest'
import { previousVersion } from './previous.js'

it.each([
  ['1.2.0', ['1.0.0', '1.1.0', '1.10.0', '2.0.0'], '1.1.0'],
  ['1.10.0', ['1.2.0', '1.9.0'], '1.9.0'],
  ['2.0.0', ['1.0.0', '1.1.0'], undefined],
  ['2.0.0', ['1.1.0', '2.0.0-rc.1'], undefined],
  ['1.2.0-rc.1', ['1.1.0', '1.2.0'], '1.1.0'],
  ['0.2.1', ['0.1.0', '0.2.0'], '0.2.0'],
  ['0.2.0', ['0.1.0'], undefined],
  ['1.1', ['1.0'], '1.0'],
  ['2024-06-01', ['2024-05-01'], undefined],
  ['1.0.0', ['1.0.0'], undefined],
])('before %s of %j comes %s', (version, others, expected) => {
  expect(previousVersion(version, others)).toBe(expected)
})
