import { expect, it } from 'vitest'
import { acceptedStep, base32, hotp, stepOf, totpUri } from './totp.js'

// The secrets of RFC 6238, appendix B and its erratum 2866: as long as each hash.
const sha1 = Buffer.from('12345678901234567890')
const sha256 = Buffer.from('12345678901234567890123456789012')
const sha512 = Buffer.from('1234567890123456789012345678901234567890123456789012345678901234')

it.each([
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
])('has the codes of RFC 6238, appendix B: %d s', (seconds, ofSha1, ofSha256, ofSha512) => {
  const step = stepOf(seconds * 1000)
  expect(hotp(sha1, step, 8)).toBe(ofSha1)
  expect(hotp(sha256, step, 8, 'sha256')).toBe(ofSha256)
  expect(hotp(sha512, step, 8, 'sha512')).toBe(ofSha512)
})

it.each(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])(
  'has the codes of RFC 4226, appendix D: %#',
  (code) => {
    const codes = Array.from({ length: 10 }, (_, step) => hotp(sha1, step))
    expect(codes).toContain(code)
    expect(codes).toHaveLength(10)
  },
)

it('accepts the code of now and its neighbours, each once', () => {
  const now = 59_000
  // The steps of 59 s and its neighbours are 0, 1 and 2.
  expect(acceptedStep(sha1, '755224', now, -1)).toBe(0)
  expect(acceptedStep(sha1, '287082', now, -1)).toBe(1)
  expect(acceptedStep(sha1, '359152', now, -1)).toBe(2)
  expect(acceptedStep(sha1, '969429', now, -1)).toBeUndefined()
  expect(acceptedStep(sha1, '287082', now, 1)).toBeUndefined()
  expect(acceptedStep(sha1, '359152', now, 1)).toBe(2)
})

it.each(['', '28708', '2870820', 'ü87082', '287082 ', '２８７０８２'])('refuses %j', (code) => {
  expect(acceptedStep(sha1, code, 59_000, -1)).toBeUndefined()
})

it.each([
  // RFC 4648, section 10.
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('writes %j as base32 %j', (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written)
})

it('names the issuer and the login in the URI', () => {
  expect(totpUri(Buffer.from('foobar'), 'ann@x', 'Billing')).toBe(
    'otpauth://totp/Billing:ann%40x?secret=MZXW6YTBOI&issuer=Billing',
  )
})
