import { expect, it } from 'vitest'
import { createKeyUse } from './key-use.js'

it('keeps the last use of each key, also while it cannot be stored', async () => {
  let isAway = true
  let now = 0
  const stored: unknown[] = []
  const use = createKeyUse(
    async (uses) => {
      if (isAway) throw new Error('away')
      stored.push(uses)
    },
    () => now,
  )
  use.note('1')
  now = 1000
  use.note('2')
  await expect(use.flush()).rejects.toThrow('away')
  now = 2000
  use.note('1')
  isAway = false
  await use.flush()
  await use.flush()
  expect(stored).toEqual([
    [
      { id: '1', at: '1970-01-01T00:00:02.000Z' },
      { id: '2', at: '1970-01-01T00:00:01.000Z' },
    ],
    [],
  ])
})
