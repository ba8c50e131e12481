import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { deriveKey } from './keys.js'
import { createTokenSigner } from './token.js'

const secret = 'a secret of at least 32 characters'
const signer = createTokenSigner(secret)
const claims = {
  userId: 7,
  tokenId: '5d1ba9a8-9a4f-4b8e-8f49-0a2f3f2f6a11',
  sessionId: '0c8b7a10-6d51-4f0e-9d5e-3a1b2c3d4e5f',
}
const issued = 1_800_000_000
const expiry = issued + 900
const at = (seconds: number) => seconds * 1000

describe('tokens', () => {
  it('name their user until they expire', async () => {
    const token = await signer.sign(claims, issued, expiry)
    expect(await signer.verify(token, at(issued + 899))).toEqual(claims)
    expect(await signer.verify(token, at(expiry + 6))).toBeUndefined()
  })

  it('of another secret are refused', async () => {
    const token = await createTokenSigner('another secret of 32 characters!!').sign(claims, issued, expiry)
    expect(await signer.verify(token, at(issued))).toBeUndefined()
  })

  it('with any change are refused', async () => {
    const [header, payload, signature] = (await signer.sign(claims, issued, expiry)).split('.')
    const other = Buffer.from(JSON.stringify({ sub: '1' })).toString('base64url')
    expect(await signer.verify(`${header}.${other}.${signature}`, at(issued))).toBeUndefined()
    expect(await signer.verify(`${header}.${payload}.`, at(issued))).toBeUndefined()
    expect(await signer.verify(`${header}.${payload}`, at(issued))).toBeUndefined()
  })

  it('have only one valid spelling', async () => {
    const token = await signer.sign(claims, issued, expiry)
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const taken = await Promise.all(
      [...digits].map(async (last) => (await signer.verify(token.slice(0, -1) + last, at(issued))) && last),
    )
    expect(taken.filter((last) => last !== undefined)).toEqual([token.at(-1)])
  })

  it.each(['', 'nonsense', 'a.b.c', '..', `${'e'.repeat(100_000)}.x.y`])(
    'that are none are refused: %#',
    async (token) => {
      expect(await signer.verify(token, at(issued))).toBeUndefined()
    },
  )

  const builder = (header = { alg: 'HS256', typ: 'at+jwt' }) =>
    new SignJWT({ sid: claims.sessionId })
      .setProtectedHeader(header)
      .setIssuer('billing')
      .setAudience('billing-api')
      .setSubject('7')
      .setJti(claims.tokenId)
      .setIssuedAt(issued)
      .setExpirationTime(expiry)
  const key = deriveKey(secret, 'token signature')

  it('are equal to those built by these tests', async () => {
    expect(await signer.verify(await builder().sign(key), at(issued))).toEqual(claims)
  })

  it.each([
    ['another audience', () => builder().setAudience('another')],
    ['another issuer', () => builder().setIssuer('another')],
    ['another algorithm', () => builder({ alg: 'HS512', typ: 'at+jwt' })],
    ['another type', () => builder({ alg: 'HS256', typ: 'JWT' })],
    ['an id that is no UUID', () => builder().setJti("' or true")],
    ['a start in the future', () => builder().setNotBefore(issued + 600)],
  ])('with %s are refused', async (_what, build) => {
    expect(await signer.verify(await build().sign(key), at(issued))).toBeUndefined()
  })

  it('without an expiry are refused', async () => {
    const endless = new SignJWT({
      sid: claims.sessionId,
      jti: claims.tokenId,
      sub: '7',
      iat: issued,
      iss: 'billing',
      aud: 'billing-api',
    })
    const token = await endless.setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(key)
    expect(await signer.verify(token, at(issued))).toBeUndefined()
  })

  it('with alg none are refused', async () => {
    const token = new UnsecuredJWT({ sid: claims.sessionId })
      .setIssuer('billing')
      .setAudience('billing-api')
      .setSubject('7')
      .setJti(claims.tokenId)
      .setIssuedAt(issued)
      .setExpirationTime(expiry)
      .encode()
    expect(await signer.verify(token, at(issued))).toBeUndefined()
  })
})
