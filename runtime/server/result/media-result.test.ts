import { expect, test } from 'vitest'
import type { Operation } from '../../contract/operation.js'
import { jsonOfMediaResult, mediaResultOf, rpcMediaResultOf } from './media-result.js'

const answering = (...types: string[]): Operation => ({
  name: 'files.get',
  source: '#',
  rest: {
    method: 'GET',
    path: '/file',
    parameters: [],
    status: 200,
    answers: types.map((type) => ({ type, kind: 'binary' as const })),
  },
  rpc: 'files.get',
  security: [],
  errors: [],
  idempotent: true,
  datetimes: {},
})

test.each([
  ['the type of the document, whatever its own', ['application/zip'], 'image/png', 'application/zip'],
  ['the type of the document where it has none', ['application/zip'], '', 'application/zip'],
  [
    'its own type where that is one of the document',
    ['application/pdf', 'image/png'],
    'image/png',
    'image/png',
  ],
  ['its own type in a range of the document', ['image/*'], 'image/png', 'image/png'],
  ['its own type with parameters', ['text/*'], 'text/csv;charset=utf-8', 'text/csv;charset=utf-8'],
  ['its own type where no type of the document can be sent', ['image/*'], 'text/csv', 'text/csv'],
  ['that of bytes where nothing says more', ['*/*'], '', 'application/octet-stream'],
])('a file is sent with %s', (_, types, own, sent) => {
  expect(mediaResultOf(new Blob(['x'], { type: own }), answering(...types))?.type).toBe(sent)
})

test('if bytes are allowed too, a JSON text is base64 over JSON-RPC, and JSON over REST', async () => {
  const file = answering('application/zip')
  const json = { type: 'application/json', kind: 'json' } as const
  const either = { ...file, rest: { ...file.rest, answers: [...(file.rest.answers ?? []), json] } }
  expect(mediaResultOf('test', either)).toBeUndefined()
  const answer = rpcMediaResultOf('test', either)
  // RFC 4648 section 4
  expect(answer && (await jsonOfMediaResult(answer, either, 100))).toBe('dGVzdA==')
  expect(rpcMediaResultOf({ text: 'test' }, either)).toBeUndefined()
  expect(rpcMediaResultOf('test', { ...file, rest: { ...file.rest, answers: [json] } })).toBeUndefined()
})
