import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emit } from '../../generator/emit/emit.js'
import { contractOf, curlExamples, startMock } from '../../generator/mock/mock.js'
import { exampleCalls } from '../../generator/samples/example-call.js'
import { sentRequest } from '../../generator/samples/sent-request.js'
import { runDuet } from '../in-process.js'
import { faultsOf, steers } from './inertness.js'
import { pageFaults } from './pages.js'
import { payloads } from './payloads.js'
import { places } from './places.js'
import { batches, documentOf, read } from './trial.js'

// What the commands write and print of documents with one text in every place where lint accepts it.

const usual = ['every quote']
const chosen = process.env.HOSTILE === 'all' ? Object.keys(payloads) : usual

describe.each(chosen)('with the text %s everywhere', (payload) => {
  let cwd: string

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'duet-commands-'))
    const accepted: string[] = []
    for (const place of Object.keys(places))
      if ((await read(documentOf(payload, [place]), cwd)).model !== undefined) accepted.push(place)
    const [batch = []] = await batches(payload, accepted, cwd)
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(documentOf(payload, batch)))
    const emitters = [{ use: resolve('scripts/collection/collection.ts') }]
    writeFileSync(
      join(cwd, 'duet.config.json'),
      JSON.stringify({ package: '@shop/api', specs: ['openapi.json'], emitters }),
    )
  })

  afterAll(() => rmSync(cwd, { recursive: true, force: true }))

  const duet = (...args: string[]) => run(cwd, args)

  it('lint prints nothing that steers a terminal', { tags: 'long' }, async () => {
    const [text, json] = [
      await duet('lint', 'openapi.json'),
      await duet('lint', 'openapi.json', '--format', 'json'),
    ]
    expect([text.code, steers(text.out + text.err)]).toEqual([0, false])
    expect([json.code, steers(json.out + json.err)]).toEqual([0, false])
    JSON.parse(json.out)
  })

  it('generate writes inert files into its folder, those of the collection with them', {
    tags: 'long',
  }, async () => {
    const { code, out, err } = await duet('generate')
    expect({ code, err: err.slice(-2_000) }).toMatchObject({ code: 0 })
    expect(steers(out + err)).toBe(false)
    const files = tree(join(cwd, 'generated'))
    expect(readdirSync(cwd).sort()).toEqual(['duet.config.json', 'generated', 'openapi.json'])
    expect(Object.keys(files).filter((path) => path.endsWith('/postman.json'))).toHaveLength(1)
    expect(
      Object.entries(files)
        .flatMap(([path, text]) => faultsIn(path, text))
        .filter(isNoImport),
    ).toEqual([])
    expect(markup(files['README.md'] ?? '')).toEqual([])
    const check = await duet('generate', '--check')
    expect({ code: check.code, out: check.out.slice(-2_000) }).toMatchObject({ code: 0 })
  })

  it('scaffold writes inert stubs into its folder', { tags: 'long' }, async () => {
    const { code, out, err } = await duet('scaffold', 'openapi.json', '--out', 'handlers')
    expect({ code, err: err.slice(-2_000) }).toMatchObject({ code: 0 })
    expect(steers(out + err)).toBe(false)
    const files = tree(join(cwd, 'handlers'))
    expect(Object.keys(files).filter((path) => !/^(?:[\w.-]+\.ts|\.duet\.json)$/.test(path))).toEqual([])
    expect(
      Object.entries(files)
        .flatMap(([path, text]) => faultsIn(path, text))
        .filter(isNoImport),
    ).toEqual([])
    expect(await duet('scaffold', 'openapi.json', '--out', 'handlers', '--check')).toMatchObject({ code: 0 })
  })

  it('init makes a project of inert files', { tags: 'long' }, async () => {
    const { code, out, err } = await duet(
      'init',
      'project',
      '--spec',
      'openapi.json',
      '--name',
      '@shop/service',
    )
    expect({ code, err: err.slice(-2_000) }).toMatchObject({ code: 0 })
    expect(steers(out + err)).toBe(false)
    const files = Object.entries(tree(join(cwd, 'project')))
    expect(files.flatMap(([path, text]) => faultsIn(path, text)).filter(isNoImport)).toEqual([])
    expect(files.flatMap(([path, text]) => (basename(path) === 'README.md' ? markup(text) : []))).toEqual([])
  })

  it('init uses no project name that npm would refuse', async () => {
    const text = payloads[payload] ?? ''
    const { code, out, err } = await duet('init', 'other', '--spec', 'openapi.json', `--name=${text}`)
    expect(steers(out + err)).toBe(false)
    if (/^(@[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9-._]{0,200}$/.test(text)) return
    expect(code).toBe(2)
    expect(readdirSync(cwd)).not.toContain('other')
  })

  it('mock answers every operation over both protocols, and keeps running', { tags: 'long' }, async () => {
    const { model, files } = await read(JSON.parse(readFileSync(join(cwd, 'openapi.json'), 'utf8')), cwd)
    if (model === undefined) throw new Error('The document has errors')
    const contract = await contractOf(await emit(model, files, 'openapi.json'))
    const mock = await startMock(model, contract, { port: 0, host: '127.0.0.1', seed: '1' })
    try {
      const examples = await curlExamples(model, mock.url)
      expect(steers(examples.join('\n')) && !/[\p{Cc}\p{Cf}]/u.test(payloads[payload] ?? '')).toBe(false)
      const example = exampleCalls(model)
      const strange: unknown[] = []
      for (const operation of model.operations) {
        const { params } = example(operation)
        const sent = await sentRequest(operation, params).catch(() => undefined)
        const rest = sent && (await answered(mock.url + sent.target, { ...sent, method: sent.method }))
        const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: operation.rpc, params })
        const rpc = await answered(`${mock.url}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: call,
        })
        for (const status of [rest, rpc])
          if (status !== undefined && status >= 500) strange.push([operation.name, status])
      }
      expect(strange).toEqual([])
      expect(
        await answered(`${mock.url}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}',
        }),
        // A base path of tens of kilobytes fits in no request.
      ).toBe(mock.url.length < 10_000 ? 200 : 431)
    } finally {
      await mock.close()
    }
  })
})

/** The status of an answer; undefined for what fetch refuses to send. */
async function answered(
  url: string,
  request: { method: string; headers?: Readonly<Record<string, string>>; body?: string },
): Promise<number | undefined> {
  const response = await fetch(url, request).catch((error: unknown) => {
    // A TypeError with a cause is a connection that broke; without one the request is not to be sent by fetch.
    if (error instanceof TypeError && error.cause instanceof Error && 'code' in error.cause) throw error
    return undefined
  })
  await response?.arrayBuffer()
  return response?.status
}

/** Handlers and projects import packages of a team's, which the versions do not. */
const isNoImport = (fault: string): boolean =>
  !/: imports (?:@shop\/|node:|\.\.?\/|duet-api\/testing$)/.test(fault)

/** Markup that a document has brought into Markdown: elements, links, code, rows of their own. */
function markup(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/(?<!\\)<[a-z!/][^\n]*|(?<!\\)\]\([^\n]*|(?:globalThis|^X-Pwned)[^\n]*/gim)]
    .map(([found]) => found)
    .filter((found) => !/^[^(]*globalThis\\/.test(found) && !/^globalThis/.test(found))
}

function tree(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}

const run = (cwd: string, args: readonly string[]) => runDuet(cwd, args, { debug: true })

/** Pages of the reference hold duet's own script, which is the same whatever the document says. */
function faultsIn(path: string, text: string): string[] {
  const page = /(?<=\/)reference\/.*/.exec(path)?.[0]
  return page === undefined ? faultsOf(path, text) : pageFaults(page, text)
}
