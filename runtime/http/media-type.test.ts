import { expect, test } from 'vitest'
import { checkCharset } from './media-type.js'

test.each([
  'text/plain',
  'text/plain; charset=UTF-8',
  'text/plain;format=flowed ; Charset = "utf-8"',
  'multipart/form-data; boundary="a; charset=latin1"; charset=utf-8',
  'multipart/form-data; boundary="a\\"; charset=latin1"',
  'text/plain; charset="utf\\-8"',
])('%s is UTF-8', (type) => {
  expect(() => checkCharset(type)).not.toThrow()
})

test.each([
  'text/plain; charset=latin1',
  'text/plain; title="a; b"; charset="latin1"',
  'text/plain; charset="utf-8;"',
  'text/plain; flag; charset=latin1',
  'text/plain; title="a; charset=latin1',
])('%s is not UTF-8', (type) => {
  expect(() => checkCharset(type)).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }))
})
