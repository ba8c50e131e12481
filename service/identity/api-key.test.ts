import { describe, expect, it } from 'vitest'
import { createApiKeyVault, makeApiKey } from './api-key.js'

const vault = createApiKeyVault('a secret of at least 32 characters')

describe('API keys', () => {
  it('are bk_ and 32 random bytes in base64url', () => {
    expect(makeApiKey()).toMatch(/^bk_[A-Za-z0-9_-]{43}$/)
    expect(makeApiKey()).not.toBe(makeApiKey())
  })

  it('have one digest of 32 bytes, another one under another secret', () => {
    const key = makeApiKey()
    expect(vault.digest(key)).toHaveLength(32)
    expect(vault.digest(key)).toEqual(vault.digest(key))
    expect(createApiKeyVault('another secret of 32 characters!!').digest(key)).not.toEqual(vault.digest(key))
  })

  it('open to the sealed key, and never seal to the same bytes', () => {
    const key = makeApiKey()
    expect(vault.open(vault.seal(key), vault.digest(key))).toBe(key)
    expect(vault.seal(key)).not.toEqual(vault.seal(key))
    expect(vault.seal(key).includes(key)).toBe(false)
  })

  it('are not opened once any byte of the ciphertext was changed', () => {
    const key = makeApiKey()
    const sealed = vault.seal(key)
    for (let index = 0; index < sealed.length; index++) {
      const tampered = Buffer.from(sealed)
      tampered[index] = (tampered[index] ?? 0) ^ 1
      expect(() => vault.open(tampered, vault.digest(key))).toThrow()
    }
    expect(() => vault.open(sealed.subarray(0, 20), vault.digest(key))).toThrow()
  })

  it('are not opened in the row of another key, nor with another secret', () => {
    const key = makeApiKey()
    expect(() => vault.open(vault.seal(key), vault.digest(makeApiKey()))).toThrow()
    const other = createApiKeyVault('another secret of 32 characters!!')
    expect(() => other.open(vault.seal(key), vault.digest(key))).toThrow()
  })
})
