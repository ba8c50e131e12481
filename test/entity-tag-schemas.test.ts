import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readEntityTag } from '../runtime/rest/style/entity-tag.js'

interface Text {
  readonly maxLength: number
  readonly pattern: string
}

// The service accepts exactly the values of If-Match and its param that the documents describe, over both protocols.
describe.each(['1.1.0', '2.0.0-rc.1'])('the document of %s', (version) => {
  const document = parse(readFileSync(new URL(`../spec/${version}/openapi.yaml`, import.meta.url), 'utf8'))
  const { parameters } = document.paths['/clients/{id}'].patch
  const ifMatch = parameters.find(({ name }: { name: string }) => name === 'If-Match')
  const takes = (text: string, { maxLength, pattern }: Text) =>
    text.length <= maxLength && new RegExp(pattern, 'u').test(text)

  test.each([
    ['*', '*'],
    ['"1"', '1'],
    ['""', ''],
    ['"a*"', 'a*'],
    ['"**"', '**'],
    ['"*a"', '*a'],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [`"${'x'.repeat(256)}"`, undefined],
    ['"*"', undefined],
    ['1', undefined],
    ['"1', undefined],
    ['1"', undefined],
    ['', undefined],
    ['W/"1"', undefined],
    ['"1", "2"', undefined],
    ['"a b"', undefined],
    ['"\u00e9"', undefined],
  ])('reads the header %s as the param %s', (header, param) => {
    expect(takes(header, ifMatch.schema)).toBe(param !== undefined)
    const opaque = readEntityTag(header)
    expect(opaque !== undefined && takes(opaque, ifMatch['x-rpc-schema']) ? opaque : undefined).toBe(param)
  })

  test.each(['"1"', 'W/"1"', '"*"'])('has no param %s', (text) => {
    expect(takes(text, ifMatch['x-rpc-schema'])).toBe(false)
  })
})
