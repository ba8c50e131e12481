import { expect, it } from 'vitest'
import { proofsOf } from '../../../../test/diff/compared.js'
import type { Proof } from '../../change/change.js'

const fine = 'responses: { 200: { description: Fine } }'
const list = '{ type: array, items: { type: string } }'
const object = '{ type: object, properties: { a: { type: string } } }'

/** An operation with one parameter. */
function given(parameter: string): string {
  return `paths: { /a: { get: { operationId: a.get, parameters: [${parameter}], ${fine} } } }\n`
}

/** An operation with a body of one media type. */
function sent(type: string, schema: string): string {
  return `paths: { /a: { post: { operationId: a.do, ${fine}, requestBody: { required: true, content: { ${type}: { schema: ${schema} } } } } } }\n`
}

/** The result of a call: a refusal, or the reason why it proves nothing. */
function told(proof: Proof | undefined): string {
  if (proof?.status === 'verified') return proof.new
  return proof?.status === 'unproven' ? proof.reason : ''
}

it.each([
  ['a header', '{ name: X-P, in: header, schema:', object, '{ type: string }'],
  ['a header', '{ name: X-P, in: header, schema:', list, object],
  ['a header', '{ name: X-P, in: header, schema:', object, list],
  ['a cookie', '{ name: p, in: cookie, explode: false, schema:', object, '{ type: string }'],
  ['a cookie', '{ name: p, in: cookie, explode: false, schema:', '{ type: string }', object],
])(
  'a call over REST whose value arrives as another one shows that %s is read in another way',
  async (_, head, was, is) => {
    const [proof] = await proofsOf(given(`${head} ${was} }`), given(`${head} ${is} }`), { protocol: 'rest' })
    expect(told(proof)).toMatch(/accepts, but \/(X-P|p) arrives as .*, which was |^rejects: /)
  },
)

it.each(['pipeDelimited, explode: false', 'form, explode: false'])(
  'a list of the style %s that repeats its name now arrives as one item',
  async (style) => {
    const query = (said: string): string => given(`{ name: p, in: query, style: ${said}, schema: ${list} }`)
    const proofs = await proofsOf(query(style), query('form, explode: true'))
    expect(proofs.map(told)).toMatchObject([
      expect.stringMatching(/accepts, but \/p arrives as \[".*"\], which was \[".*",".*"\]/),
    ])
  },
)

it('a call without a parameter shows that another default replaces it', async () => {
  const query = (value: number): string =>
    given(`{ name: p, in: query, schema: { type: integer, default: ${value} } }`)
  const [proof] = await proofsOf(query(20), query(30))
  const outcome = 'the new version accepts, but /p arrives as 30, which was 20'
  expect(proof).toEqual({ status: 'unproven', reason: `over REST ${outcome}; over JSON-RPC ${outcome}` })
})

it('a value that only its type tells apart is the same over REST', async () => {
  const proofs = await proofsOf(
    given('{ name: p, in: query, schema: { type: integer } }'),
    given('{ name: p, in: query, schema: { type: string, minLength: 2 } }'),
    { protocol: 'rest' },
  )
  for (const proof of proofs) expect(proof).toMatchObject({ new: expect.stringMatching(/^rejects: /) })
})

it('a text that is base64, too, shows that a field of JSON is read as the bytes of a file now', async () => {
  const file =
    'multipart/form-data: { schema: { type: object, properties: { p: { type: string, format: binary } } } }'
  const json = 'application/json: { schema: { type: object, properties: { p: { type: string } } } }'
  const body = (content: string): string =>
    `paths: { /a: { post: { operationId: a.do, ${fine}, requestBody: { required: true, content: { ${content} } } } } }\n`
  const proofs = await proofsOf(body(json), body(`${json}, ${file}`))
  expect(proofs.map(told)).toMatchObject([
    expect.stringContaining('accepts, but /p arrives as "<a file of 0 bytes>", which was ""'),
  ])
})

it.each([
  [
    'closed params',
    'rejects: /p must NOT have additional properties',
    given('{ name: p, in: query, schema: {} }'),
    given('{ name: p, in: query, x-rpc-param: q, schema: {} }'),
  ],
  [
    'an open body',
    'accepts, but /q does not arrive',
    sent('application/json', '{ type: object, properties: { p: {} } }'),
    sent('application/json', '{ type: object, properties: { p: { x-rpc-param: q } } }'),
  ],
])('a call by the old name shows that a param of %s has another one', async (_, outcome, old, fresh) => {
  const [proof] = await proofsOf(old, fresh, { protocol: 'jsonrpc' })
  expect(told(proof)).toContain(outcome)
})
