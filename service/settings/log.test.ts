import type { Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { makeApiKey } from '../identity/api-key.js'
import { type CallLog, createCallLog } from '../server/call-log.js'
import { createLog } from './log.js'

function logCall(log: Logger, event: Parameters<CallLog['call']>[0]): void {
  createCallLog(log, { linesPerCaller: 0, trustedProxies: undefined }).call(event)
}

function written(write: (log: ReturnType<typeof createLog>) => void, level: 'info' | 'warn' = 'info') {
  const lines: string[] = []
  write(createLog(level, { write: (line) => lines.push(line) }))
  return lines
}

const event = { operation: 'clients.get', protocol: 'rest', requestId: 'r-1', durationMs: 1.23456 } as const
const principal = { userId: 1, login: 'admin', role: 'admin', resellerId: null, timezone: undefined }

describe('the log', () => {
  it('has one line for each call', () => {
    const lines = written((log) => {
      logCall(log, { ...event, principal })
      logCall(log, { ...event, principal: undefined, code: 'invalid_api_key' })
    }).map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({
      level: 'info',
      msg: 'call',
      requestId: 'r-1',
      operation: 'clients.get',
      protocol: 'rest',
      user: 'admin',
      code: 'ok',
      durationMs: 1.235,
    })
    expect(lines[1]).toMatchObject({ code: 'invalid_api_key' })
    expect(lines[1]).not.toHaveProperty('user')
  })

  it('shows the error behind an internal error, on level error', () => {
    const cause = new Error('the cause')
    const [line] = written((log) =>
      logCall(log, { ...event, principal, code: 'internal_error', error: new Error('broken', { cause }) }),
    )
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'error',
      code: 'internal_error',
      err: { message: 'broken' },
    })
    expect(line).toContain('the cause')
  })

  it('warns of a user’s unknown zone, without failing the call', () => {
    const [line] = written((log) => logCall(log, { ...event, principal, warning: 'no zone "Mars"' }), 'warn')
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 'warn', code: 'ok', warning: 'no zone "Mars"' })
  })

  it('never contains keys, tokens and passwords', () => {
    const apiKey = makeApiKey()
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'s'.repeat(43)}`
    const [line] = written((log) =>
      log.info(
        {
          password: 'hunter2',
          user: { password: 'hunter2', apiKey: 'hunter2', token: 'hunter2' },
          request: { headers: { authorization: 'hunter2', 'x-api-key': 'hunter2', cookie: 'hunter2' } },
          err: new Error(`no user with ${apiKey} or ${jwt} in postgres://billing:hunter2@db/billing`),
        },
        `looked for ${apiKey} and ${jwt}`,
      ),
    )
    expect(line).not.toContain('hunter2')
    expect(line).not.toContain(apiKey.slice(3))
    expect(line).not.toContain(jwt.slice(5, 30))
    expect(line).toContain('postgres://billing:[redacted]@db/billing')
  })

  it('writes one line for each entry, with any text', () => {
    const forged = 'x\n{"level":"info","msg":"forged"}\r\u2028'
    const lines = written((log) => logCall(log, { ...event, requestId: forged, principal: undefined }))
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '').requestId).toBe(forged)
  })

  it('bounds fields and lines', () => {
    const jwt = `eyJhbGciOiJIUzI1NiJ9.${'p'.repeat(6_000)}.${'s'.repeat(43)}`
    const deep = { a: { b: { c: { d: { e: { f: 'x' } } } } } }
    const [line = ''] = written((log) =>
      log.info({ text: 'x'.repeat(1_000_000), err: new Error('y'.repeat(1_000_000)), deep }, 'long'),
    )
    expect(line.length).toBeLessThan(20_000)
    expect(JSON.parse(line)).toMatchObject({
      text: expect.stringMatching(/^x+… \(1000000 characters\)$/),
      level: 'info',
    })
    const [wide = ''] = written((log) =>
      log.info({ wide: Array.from({ length: 50 }, () => 'x'.repeat(4_000)) }),
    )
    expect(wide.length).toBeLessThan(20_000)
    expect(JSON.parse(wide)).toMatchObject({ msg: 'a line was too long', length: expect.any(Number) })
    const [cut = ''] = written((log) => log.info({ text: `${'x'.repeat(4_000)} ${jwt}` }))
    expect(cut.includes('eyJ')).toBe(false)
  })

  it('leaves out what is below its level', () => {
    expect(written((log) => logCall(log, { ...event, principal }), 'warn')).toEqual([])
  })
})
