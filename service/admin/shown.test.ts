import { expect, it } from 'vitest'
import { shownEntry, shownWait } from './shown.js'

it.each([
  [1, '1 second'],
  [28, '28 seconds'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [855, '15 minutes'],
])('a wait of %d s is %s', (seconds, text) => {
  expect(shownWait(seconds)).toBe(text)
})

it('shows no change between times of one minute', () => {
  const key = (expires_at: string, begins: string) => ({ key: 'CI', expires_at, begins })
  const { changes } = shownEntry(
    {
      ...{ id: 1, at: '2026-11-29T12:08:00Z', userId: 1, login: 'admin', isUser: true, userResellerId: null },
      ...{ operation: 'admin.keys.replace', protocol: 'admin', requestId: 'r1' },
      ...{ entity: 'user', entityId: '2', entityName: 'someone', resellerId: null },
      before: key('2027-02-27T12:08:01Z', 'duet_a'),
      after: key('2027-02-27T12:08:40Z', 'duet_b'),
    },
    'UTC',
    [],
  )
  expect(changes).toEqual([{ name: 'begins with', before: 'duet_a', after: 'duet_b' }])
})
