import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fencesOf } from '../../test/fences.js'
import { runDuet } from '../../test/in-process.js'

/** Runs `duet mcp` on a document with one tool whose description has this many characters. */
function run(length: number, ...args: string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-mcp-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFileSync(join(cwd, 'api.yaml'), documentOf(length, args.includes('bounded')))
  return runDuet(cwd, ['mcp', 'api.yaml', ...args.filter((arg) => arg !== 'bounded')])
}

const documentOf = (length: number, isBounded: boolean) => `openapi: 3.1.1
info: { title: Notes, version: 1.0.0 }
${isBounded ? 'x-mcp: { maxBytes: 40000 }' : ''}
paths:
  /note: { get: { operationId: notes.get, description: ${'x'.repeat(length)}, x-mcp: true, responses: { 204: { description: None } } } }
`

it('warns of tools that fill a model’s context, unless the document bounds them', async () => {
  expect(await run(1000)).toMatchObject({ code: 0, err: '' })
  const { code, out, err } = await run(120_000)
  expect(code).toBe(0)
  const [, bytes] = /1 tools?, (\d+) bytes/.exec(out) ?? []
  expect(err).toBe(
    `warning: api.yaml: a model reads ${bytes} bytes of tools in each session. With \`x-mcp: { maxBytes: 40000 }\` at the root of the document it gets three tools that search the others.\n`,
  )
  expect((await run(120_000, 'bounded')).err).toBe('')
})

it('fails if the tools are larger than --max-bytes', async () => {
  expect(await run(1000, '--max-bytes', '2000')).toMatchObject({ code: 0, err: '' })
  const { code, err } = await run(1000, '--max-bytes', '1000')
  expect(code).toBe(1)
  expect(err).toMatch(/^api\.yaml: the tools have \d+ bytes, more than 1000\.\n$/)
})

it('shows the sizes of the billing service that docs/mcp.md quotes', async () => {
  const shown = fencesOf(readFileSync('docs/mcp.md', 'utf8')).find(
    ({ kind, text }) => kind === 'text' && / bytes\n/.test(text),
  )
  expect((await runDuet(process.cwd(), ['mcp', '1.1.0', '--sizes'])).out).toBe(shown?.text)
})
