import { expect, it } from 'vitest'
import { compared } from '../../../../test/diff/compared.js'

const shop = (parameters: string, rpc = 'a.get'): string => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /a: { get: { operationId: a.get, x-rpc-method: ${rpc}, parameters: [${parameters}],
  responses: { 200: { description: Fine } } } } }
`
const mark = (type: string): string =>
  `{ name: If-Match, in: header, x-rpc-param: version, schema: { type: ${type} } }`

async function messages(old: string, fresh: string): Promise<string[]> {
  const { changes } = await compared(old, fresh)
  return changes.map(({ message }) => message)
}

it('calls a parameter by both of its names where JSON-RPC has another', async () => {
  const name = 'the header parameter If-Match (version over JSON-RPC)'
  expect(await messages(shop(''), shop(mark('string')))).toEqual([`${name} was added`])
  expect(await messages(shop(mark('string')), shop(''))).toEqual([`${name} was removed`])
  expect(await messages(shop(mark('string')), shop(mark('boolean')))).toEqual([
    `${name}: its type changed ("string" to "boolean")`,
  ])
  const plain = '{ name: q, in: query, schema: { type: string } }'
  expect(await messages(shop(''), shop(plain))).toEqual(['the query parameter q was added'])
})

it('compares what If-Match is among the params, where the document says that', async () => {
  const tag = (pattern: string, param: string): string =>
    `{ name: If-Match, in: header, schema: { type: string, pattern: '${pattern}' }, x-rpc-schema: { type: string${param} } }`
  const text = tag('^"[^"]*"$', '')
  expect(
    await messages(shop('{ name: If-Match, in: header, schema: { type: string } }'), shop(text)),
  ).toEqual([])
  expect(await messages(shop(text), shop(tag('^"[^"]*"$', ', maxLength: 9')))).toEqual([
    'the header parameter If-Match: `maxLength` was added (9)',
  ])
})

it('has no name of JSON-RPC for callers of REST alone', async () => {
  const name = 'the header parameter If-Match'
  expect(await messages(shop('', 'false'), shop(mark('string'), 'false'))).toEqual([`${name} was added`])
  expect(await messages(shop(mark('string'), 'false'), shop(mark('boolean'), 'false'))).toEqual([
    `${name}: its type changed ("string" to "boolean")`,
  ])
})

const whole = (name: string, rest = ''): string =>
  shop(
    `{ name: ${name}, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: string } } ${rest} } } } }`,
  ).replace('3.1.1', '3.2.0')

it('takes apart a querystring, and puts it together, without notice to REST callers', async () => {
  const [one, parts] = [
    whole('q', ', additionalProperties: false'),
    shop('{ name: a, in: query, schema: { type: string } }').replace('3.1.1', '3.2.0'),
  ]
  expect((await compared(one, parts)).verdict.rest).toBe('compatible')
  expect((await compared(parts, one)).verdict.rest).toBe('compatible')
})

it('knows that no request has the name of a querystring', async () => {
  expect(await messages(whole('q'), whole('r'))).toEqual(['the param q is now called r'])
})
