import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as tests from '../../test/password-cost.js'
// Imported by another path, since the tests replace the service's path with their own cost.
import * as own from '../identity/password-cost.js'
import { hashPassword, makePassword, verifyPassword } from './password.js'

describe('passwords', () => {
  it('are verified by their hash', async () => {
    const hash = await hashPassword('correct horse')
    expect(await verifyPassword('correct horse', () => hash)).toBe(true)
    expect(await verifyPassword('correct horsf', () => hash)).toBe(false)
    expect(await verifyPassword('', () => hash)).toBe(false)
  })

  it('have hashes that carry their parameters and a salt', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')])
    expect(one).toMatch(/^scrypt\$2048\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
  })

  it('have the configured cost, which is lower in tests', () => {
    expect([own.passwordCost, tests.passwordCost]).toEqual([
      { N: 65_536, r: 8, p: 1 },
      { N: 2_048, r: 8, p: 1 },
    ])
  })

  it('are verified with the parameters of their hash', async () => {
    // RFC 7914 section 12, third vector: N 16384, r 8, p 1; its first 32 bytes are PBKDF2's first 32 too.
    const salt = Buffer.from('SodiumChloride').toString('base64url')
    const key = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex')
    expect(
      await verifyPassword('pleaseletmein', () => `scrypt$16384$8$1$${salt}$${key.toString('base64url')}`),
    ).toBe(true)
  })

  it('are wrong with a final NUL', async () => {
    expect(await verifyPassword('correct horse\0', () => hashPassword('correct horse'))).toBe(false)
  })

  it('are the same in composed and in decomposed form', async () => {
    expect(await verifyPassword('cafe\u0301', () => hashPassword('caf\u00e9'))).toBe(true)
  })

  it('without a hash are wrong, after the same work', async () => {
    const hash = await hashPassword('another password')
    const work = vi.spyOn(crypto, 'scrypt')
    syncBuiltinESMExports()
    onTestFinished(() => {
      work.mockRestore()
      syncBuiltinESMExports()
    })
    for (const stored of [hash, null]) expect(await verifyPassword('some password', () => stored)).toBe(false)
    const asked = work.mock.calls.map(([password, salt, ...cost]) => [
      password,
      Buffer.byteLength(salt as Buffer),
      ...cost,
    ])
    const cost = expect.objectContaining({ N: 2_048, r: 8, p: 1 })
    const once = [Buffer.from('some password'), 16, 32, cost, expect.any(Function)]
    expect(asked).toEqual([once, once])
  })

  it('of any length and kind are refused without an error', async () => {
    const hash = await hashPassword('x'.repeat(1_024))
    expect(await verifyPassword('x'.repeat(1_024), () => hash)).toBe(true)
    expect(await verifyPassword('x'.repeat(1_025), () => hash)).toBe(false)
    expect(await verifyPassword('\0\ud800', () => hash)).toBe(false)
  })

  it('wait for each other in concurrent checks, and too many are refused', async () => {
    const hash = `scrypt$2$1$1$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`
    const results = await Promise.allSettled(
      Array.from({ length: 150 }, () => verifyPassword('x', () => hash)),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(48)
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
    expect(await verifyPassword('x', () => hash)).toBe(false)
  })

  it('that are generated have 24 characters and are unique', () => {
    expect(makePassword()).toMatch(/^[\w-]{24}$/)
    expect(makePassword()).not.toBe(makePassword())
  })
})
