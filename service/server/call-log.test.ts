import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../settings/log.js'
import { createCallLog } from './call-log.js'

const from = (remoteAddress: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-request-id': 'r-1' } }) as unknown as IncomingMessage
const principal = { userId: 1, login: 'ann', role: 'user', resellerId: 1, timezone: undefined }

function opened(linesPerCaller: number) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const calls = createCallLog(log, { linesPerCaller, trustedProxies: undefined })
  const call = (request: IncomingMessage, code?: string, rest: object = {}) =>
    calls.call({
      operation: 'clients.get',
      protocol: 'rest',
      requestId: 'r-1',
      durationMs: 1,
      principal: undefined,
      request,
      ...(code !== undefined && { code }),
      ...rest,
    })
  const logged = () => lines.map((line) => JSON.parse(line))
  return { calls, call, logged }
}

describe('the lines about calls', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('carry the address of the caller', () => {
    const { call, calls, logged } = opened(10)
    call(from('203.0.113.7'))
    calls.call(
      { operation: undefined, protocol: 'rest', requestId: 'r', durationMs: 0, principal: undefined },
      { socket: from('203.0.113.8').socket, headers: {} },
    )
    expect(logged()).toMatchObject([{ address: '203.0.113.7' }, { address: '203.0.113.8' }])
  })

  it('leave the address out if the caller had gone before it was known', () => {
    const { call, calls, logged } = opened(10)
    const sender = { socket: { remoteAddress: undefined }, headers: {} }
    call(sender as unknown as IncomingMessage)
    calls.failedSignIn({ login: 'ann', code: 'invalid_credentials', sender })
    expect(logged().map((line) => 'address' in line)).toEqual([false, false])
  })

  it('are limited per caller in ten seconds, a tenth for refused calls, and one line sums up the rest', () => {
    vi.useFakeTimers()
    const { call, logged } = opened(20)
    for (let i = 0; i < 50; i++) {
      call(from('203.0.113.7'), undefined, { principal })
      call(from('203.0.113.7'), 'invalid_api_key')
      call(from('203.0.113.7'), i < 10 ? 'unknown_operation' : 'validation_failed')
    }
    call(from('203.0.113.8'), 'invalid_api_key')
    expect(logged()).toHaveLength(20 + 2 + 1)
    vi.advanceTimersByTime(10_000)
    expect(logged().slice(23)).toMatchObject([
      { msg: 'calls left out', user: 'ann', leftOut: { ok: 30 } },
      {
        msg: 'calls left out',
        address: '203.0.113.7',
        leftOut: { invalid_api_key: 49, unknown_operation: 9, validation_failed: 40 },
      },
    ])
    call(from('203.0.113.7'), 'invalid_api_key')
    expect(logged().at(-1)).toMatchObject({ msg: 'call', code: 'invalid_api_key' })
  })

  it('are limited per refusal code for all addresses together', () => {
    const { calls, call, logged } = opened(20)
    for (let i = 0; i < 100; i++) call(from(`203.0.113.${i}`), 'rate_limited')
    expect(logged()).toHaveLength(20)
    calls.sumUp()
    expect(logged().slice(20)).toMatchObject([{ msg: 'calls left out', leftOut: { rate_limited: 80 } }])
  })

  it('include an error after many refusals of its caller', () => {
    const { call, logged } = opened(10)
    for (let i = 0; i < 10; i++) call(from('203.0.113.7'), 'invalid_api_key')
    call(from('203.0.113.7'), 'internal_error', { error: new Error('broken') })
    expect(logged().at(-1)).toMatchObject({ level: 'error', code: 'internal_error' })
  })

  it('include a limited number of failed sign-ins after many refusals of their caller', () => {
    const { calls, call, logged } = opened(20)
    const failed = (login: string) =>
      calls.failedSignIn({ login, code: 'invalid_credentials', sender: from('203.0.113.7') })
    for (let i = 0; i < 10; i++) call(from('203.0.113.7'), 'unknown_operation')
    for (const login of ['ann', 'bob', 'eve']) failed(login)
    const signIns = logged().filter(({ msg }) => msg === 'sign-in failed')
    expect(signIns.map(({ login }) => login)).toEqual(['ann', 'bob'])
  })

  it('name address and login of a failed sign-in, the login cut and on one line', () => {
    const { calls, logged } = opened(10)
    calls.failedSignIn({
      login: `\n\u202e${'x'.repeat(1_000)}`,
      code: 'invalid_credentials',
      sender: from('203.0.113.7'),
    })
    const [line] = logged()
    expect(line).toMatchObject({
      msg: 'sign-in failed',
      address: '203.0.113.7',
      requestId: 'r-1',
      code: 'invalid_credentials',
    })
    expect(line.login).toBe(`\n\u202e${'x'.repeat(98)}`)
  })
})
