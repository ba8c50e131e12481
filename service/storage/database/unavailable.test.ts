import { ProblemError } from 'duet-runtime'
import { expect, test } from 'vitest'
import { translator } from './unavailable.js'

/** An error as `pg` creates it from the server's answer. */
const answered = (severity: string, code: string) => Object.assign(new Error('refused'), { severity, code })

// SQLSTATE: no connections allowed, wrong password, role without login, no connect privilege, unknown database.
test.each(['55000', '28P01', '28000', '42501', '3D000'])(
  'a server that begins no session (%s) is unavailable, and the log says why',
  (code) => {
    const reported: Error[] = []
    const error = answered('FATAL', code)
    const translated = translator((each) => reported.push(each))(error)
    expect(translated).toBeInstanceOf(ProblemError)
    expect(translated).toMatchObject({ code: 'unavailable', retryAfter: 1 })
    expect(reported).toEqual([error])
  },
)

test('a forbidden statement is a fault of the service', () => {
  const error = answered('ERROR', '42501')
  const translated = translator(() => expect.unreachable())(error)
  expect(translated).toBe(error)
})
