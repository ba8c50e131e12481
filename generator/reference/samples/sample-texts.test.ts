import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { built, modelOf, samples, shop } from '../../../test/fixtures/samples.js'
import type { JsonObject } from '../../document/document.js'
import { loadDocument } from '../../load/load.js'
import { emitReference } from '../site.js'
import { samplesOf } from './samples.js'
import { variablesOf } from './variables.js'

it('shows the typed client with credentials by scheme', async () => {
  const get = await samples(shop, 'users.get', {})
  expect(get.of('client').rest).toBe(`import { basic, createClient, rest } from '@shop/api/client'

const { BASE_URL = '', API_USER = '', API_PASSWORD = '' } = process.env
const client = createClient({
  transport: rest(BASE_URL),
  auth: { user: basic(API_USER, API_PASSWORD) },
})
const result = await client.users.get()
console.log(result)`)
  const put = await samples(shop, 'users.put', {})
  const all =
    '{ app: apiKey(APP_ID_KEY), header: apiKey(API_KEY), oauth: bearer(TOKEN), sid: apiKey(SID_KEY) }'
  expect(put.of('client').jsonrpc).toContain(`  auth: ${all},`)
})

it('reads a response as JSON if it always is', async () => {
  const { of } = await samples(shop, 'notes.delete', { id: '1' })
  expect(of('fetch').rest).toContain('await response.text()')
  expect(of('fetch').jsonrpc).toContain('await response.json()')
  expect(of('python').rest).toContain('response.text')
  const put = await samples(shop, 'notes.put', { id: '1' })
  expect(put.of('fetch').rest).toContain('await response.text()')
  const billing = built(loadDocument('spec/1.1.0/openapi.yaml', { cwd: resolve('.') }))
  expect((await samples(billing, 'clients.get', { id: 7 })).of('fetch').rest).toContain(
    'await response.json()',
  )
})

it('shows the same items of a list over both protocols', async () => {
  const example = [
    { id: 1, tags: ['a', 'b'] },
    { id: 2, tags: [] },
    { id: 3, tags: [] },
  ]
  const get = {
    'x-rpc-method': 'notes.search',
    responses: { 200: { description: 'All', content: { 'application/json': { schema: {}, example } } } },
  }
  const paths = { '/notes': { get } }
  const model = modelOf({ openapi: '3.1.0', info: { title: 'Notes', version: '1.0.0' }, paths })
  const page = (await emitReference(model, { versions: [], module: '' })).get('reference/notes.html') ?? ''
  const answers = page.matchAll(/data-status="200"><p[^>]*>[^<]*<\/p><pre[^>]*><code>([^<]*)</g)
  const [rest, jsonrpc] = [...answers].map(([, json = '']) => JSON.parse(json.replaceAll('&quot;', '"')))
  const shown = [
    { id: 1, tags: ['a'] },
    { id: 2, tags: [] },
  ]
  expect([rest, jsonrpc]).toEqual([shown, { jsonrpc: '2.0', id: 1, result: shown }])
})

it('names the variables with credentials', () => {
  const variables = (name: string) =>
    shop.operations.filter((one) => one.name === name).flatMap((one) => variablesOf(shop, one))
  expect(['notes.put', 'notes.get', 'notes.delete', 'notes.file.create'].map(variables)).toEqual([
    ['API_KEY'],
    ['API_KEY'],
    ['TOKEN'],
    [],
  ])
})

it('writes a form of parts for curl alone', async () => {
  const { of } = await samples(shop, 'notes.file.create', { id: '1', said: "it's @home" })
  expect(of('curl').rest).toBe(
    `curl -X POST "$BASE_URL/notes/1/file" \\\n  --form-string 'said=it'\\''s @home'`,
  )
  expect(of('fetch').rest).toBeUndefined()
})

const file = { type: 'string', format: 'binary' }
const upload = (type: string, schema: JsonObject) => ({
  post: {
    requestBody: { required: true, content: { [type]: { schema } } },
    responses: { 204: { description: 'Done' } },
  },
})
const uploads = modelOf({
  openapi: '3.1.0',
  info: { title: 'Uploads', version: '1.0.0' },
  paths: {
    '/form': upload('multipart/form-data', { type: 'object', required: ['file'], properties: { file } }),
    '/raw': upload('application/octet-stream', file),
  },
})

// The manual of curl, --form: a name with `,` or `;` is in double quotes, with `"` and `\` escaped.
it.each([
  ['a.txt', 'file=@a.txt'],
  ['report, final.txt', 'file=@"report, final.txt"'],
  ['a;b.txt', 'file=@"a;b.txt"'],
  ['a"b\\c.txt', 'file=@"a\\"b\\\\c.txt"'],
])('names the file %s as curl reads it', (name, option) => {
  const content = new FormData()
  content.append('file', new File(['hi'], name))
  const [operation] = uploads.operations
  if (operation === undefined) throw new Error('There is no operation')
  const request = { method: 'POST', target: '/form', headers: {}, content }
  const [curl] = samplesOf(uploads, operation, {}, request, undefined, '')
  expect(curl?.rest).toContain(`-F '${option}'`)
})

it('shows uploads over REST from the start', async () => {
  const pages = await emitReference(uploads, { versions: [], module: '' })
  const first = (page: string) =>
    /<div class="block" data-over="rest[^"]*"[\s\S]*?<code>([^<]*)</.exec(
      pages.get(`reference/${page}.html`) ?? '',
    )?.[1]
  expect(first('form')).toMatch(/^curl -X POST .*-F .*file=@FILE/s)
  expect(first('raw')).toMatch(/^curl -X POST .*--data-binary .*@FILE/s)
})

it('gives each option of a long command a line, and reads Go as it should be', async () => {
  const { of } = await samples(shop, 'notes.put', { id: 'a b', title: 'say "hi"\n`$x`' })
  expect(of('curl').jsonrpc).toBe(
    String.raw`curl "$BASE_URL/" \
  -H "X-Api-Key: $API_KEY" \
  -H 'Content-Type: application/json' \
  --data-raw '{"jsonrpc":"2.0","id":1,"method":"notes.put","params":{"id":"a b","title":"say \"hi\"\n${'`'}$x${'`'}"}}'`,
  )
  expect(of('curl').rest).toContain(String.raw`
  -H "X-Api-Key: $API_KEY" \
  -H 'Content-Type: application/json' \
`)
  expect(of('go').rest).toBe(
    String.raw`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader("{\"title\":\"say \\\"hi\\\"\\n${'`'}$x${'`'}\"}")
	request, err := http.NewRequest("PUT", os.Getenv("BASE_URL")+"/notes/a%20b", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Api-Key", os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	result, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(result))
}`,
  )
})
