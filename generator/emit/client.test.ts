import { expect, test } from 'vitest'
import { generate } from '../../test/scenarios/scenario.js'

const content = (type: string) => `
paths:
  /a: { get: { x-rpc-method: a.get, responses: { '200': { description: ok, content: { ${type}: {} } } } } }
`

test.each([
  ['application/json', []],
  ['text/event-stream', ['readEvents', 'type ServerSentEvent']],
  ['application/json-seq', ['readValues']],
  ['application/jsonl', ['readValues']],
])('a client of %s exports what reads its streams', async (type, readers) => {
  const { files } = await generate(content(type))
  const [, exported = ''] =
    /export \{([^}]*)\} from 'duet-runtime\/client'/.exec(files.get('client.ts') ?? '') ?? []
  const names = exported.split(',').map((name) => name.trim())
  expect(names.filter((name) => /^read|Event/.test(name))).toEqual(readers)
})

test('a client without security schemes accepts no credentials and exports no helpers for them', async () => {
  const { files } = await generate(content('application/json'))
  const text = files.get('client.ts') ?? ''
  expect(text).toContain('export type Auth = never\n')
  expect(text).not.toMatch(/\b(apiKey|basic|bearer|ambient|renewingToken)\b/)
})
