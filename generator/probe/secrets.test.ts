import { expect, it } from 'vitest'
import { Secrets } from './secrets.js'

const securitySchemes = new Map([
  ['key', { type: 'apiKey', in: 'header', name: 'X-Key' }],
  ['login', { type: 'http', scheme: 'basic' }],
] as const)
const key = 'ab+cd/ef=="é'
const login = Buffer.from('user:pass&word').toString('base64')
const secrets = new Secrets({ securitySchemes }, { DUET_KEY: key, DUET_LOGIN: login })
const utf8 = Buffer.from(key)
const around = (before: string) => Buffer.from(`${before}${key} and more`).toString('base64')

it.each([
  ['as it is', key],
  ['in JSON', JSON.stringify(key).slice(1, -1)],
  ['in JSON as PHP writes it', 'ab+cd\\/ef==\\"\\u00e9'],
  [
    'in JSON, all escaped',
    [...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(key).replaceAll('/', '\\/')).slice(3, -3)],
  ['in a URL', encodeURIComponent(key)],
  ['in a URL, in lower case', encodeURIComponent(key).toLowerCase()],
  ['in a URL in a URL', encodeURIComponent(encodeURIComponent(key))],
  ['in HTML', 'ab&#43;cd&#x2F;ef==&quot;&#233;'],
  ['in a JSON pointer', key.replace('/', '~1')],
  ['in base64', utf8.toString('base64')],
  ['in base64 for URLs', utf8.toString('base64url')],
  ['in hexadecimal digits', utf8.toString('hex')],
  ['in hexadecimal digits of upper case', utf8.toString('hex').toUpperCase()],
])('hides a credential %s', (_, spelling) => {
  expect(secrets.redacted(`<${spelling}>`)).toBe('<$DUET_KEY>')
})

it.each(['', 'k', 'ke', 'key'])(
  'hides a credential in the base64 of a longer text that begins with %j',
  (before) => {
    const safe = secrets.redacted(around(before))
    expect(safe).toContain('$DUET_KEY')
    // At most the part of a byte at either end is left.
    expect(Buffer.from(safe.split('$DUET_KEY')[0] ?? '', 'base64').toString()).toBe(before)
  },
)

it('hides what a server reads in a Basic credential', () => {
  expect(secrets.redacted(`${login} user:pass&word pass&amp;word`)).toBe(
    '$DUET_LOGIN $DUET_LOGIN $DUET_LOGIN',
  )
})

it('leaves other texts alone, also hostile ones', () => {
  const text = '\\'.repeat(200_000)
  expect(secrets.redacted(text)).toBe(text)
  expect(secrets.redacted('ab cd/ef')).toBe('ab cd/ef')
})
