import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaffoldLines } from '../../generator/cli/scaffold-report.js'
import type { InputFile } from '../../generator/document/document.js'
import { loadDocument } from '../../generator/load/load.js'
import { buildModel } from '../../generator/model/build/build.js'
import type { Model } from '../../generator/model/model.js'
import { parseRecord, recordFile } from '../../generator/stubs/handler-files.js'
import { type After, scaffold } from '../../generator/stubs/scaffold.js'
import { type Fence, fencesOf, withFences } from '../fences.js'

/** Texts by path. */
export type Files = ReadonlyMap<string, string>

/** A document's model from lines such as `clients.get GET /clients/{id} Get a client.` */
export function modelOf(version: string, lines: string): { model: Model; inputs: readonly InputFile[] } {
  const paths: Record<string, Record<string, object>> = {}
  for (const line of lines.split('\n').filter((text) => text.trim() !== '')) {
    const [name = '', method = '', path = '', ...summary] = line.trim().split(' ')
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => ({
      ...{ name: param, in: 'path', required: true, schema: { type: 'integer' } },
    }))
    const schema = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
    paths[path] ??= {}
    Object.assign(paths[path], {
      [method.toLowerCase()]: {
        'x-rpc-method': name,
        ...(summary.length > 0 && { summary: summary.join(' ') }),
        parameters,
        responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
      },
    })
  }
  const folder = mkdtempSync(join(tmpdir(), 'duet-scaffold-page-'))
  try {
    const document = { openapi: '3.1.0', info: { title: 'Shop', version }, paths }
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
    const loaded = loadDocument('openapi.json', { cwd: folder })
    const built = loaded.document && buildModel(loaded.document)
    if (built?.model === undefined)
      throw new Error(JSON.stringify([...loaded.diagnostics, ...(built?.diagnostics ?? [])]))
    return { model: built.model, inputs: loaded.files }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Scaffolds files for a document. The record is one of the files. */
export function scaffolded(files: Files, version: string, lines: string): { files: Files; after: After } {
  const recordText = files.get(recordFile)
  const sources = new Map([...files].filter(([path]) => path !== recordFile))
  const after = scaffold(
    {
      files: sources,
      unreadable: new Map(),
      blocked: new Set(),
      record: recordText === undefined ? undefined : parseRecord(recordText),
      recordText,
    },
    modelOf(version, lines).model,
    `@shop/api/${version}`,
  )
  const result = new Map([...files, ...after.write])
  for (const path of after.remove) result.delete(path)
  return { files: result, after }
}

/** A scenario: documents, what a team has made of the files before the second one, what is expected. */
export interface Page {
  readonly versions: readonly { readonly version: string; readonly lines: string }[]
  /** A `broken` fence is what a file was when it was scaffolded for the first time; it is mended then. */
  readonly before: readonly Fence[]
  readonly expected: readonly Fence[]
}

export function parsePage(text: string): Page {
  const fences = fencesOf(text)
  const documents = fences.filter(({ kind }) => kind === 'api')
  const last = documents.at(-1)?.index ?? -1
  return {
    versions: documents.map(({ target, text: lines }) => ({ version: target, lines })),
    before: fences.slice(0, last).filter(({ kind }) => kind !== 'api'),
    expected: fences.slice(last + 1),
  }
}

/** What comes of a page: the files at its end, and the reports. */
export interface Run {
  readonly end: Files
  readonly report: readonly string[]
}

export function runPage({ versions, before }: Page): Run {
  const [first, second] = versions
  if (first === undefined) throw new Error('A page needs a document')
  const noRecord = before.some(({ kind }) => kind === 'norecord')
  const fresh =
    noRecord && second === undefined ? undefined : scaffolded(new Map(), first.version, first.lines)
  const start = new Map(fresh?.files)
  for (const { kind, target, text } of before) {
    const [path = '', ...flags] = target.split(' ')
    if (kind === 'ts') start.set(path, written(text, flags))
    if (kind === 'delete') start.delete(path)
    if (kind === 'norecord') start.delete(recordFile)
  }
  if (second === undefined) {
    const { files, after } = noRecord
      ? scaffolded(start, first.version, first.lines)
      : (fresh ?? { files: start, after: undefined })
    return { end: files, report: after === undefined ? [] : scaffoldLines(after) }
  }
  const broken = before.filter(({ kind }) => kind === 'broken')
  const unmended =
    broken.length === 0 ? undefined : scaffolded(withTexts(start, broken), second.version, second.lines)
  const mended = unmended && new Map(unmended.files)
  for (const { target } of broken) mended?.set(target, start.get(target) ?? '')
  const { files: end, after } = scaffolded(mended ?? start, second.version, second.lines)
  const again = scaffolded(end, second.version, second.lines)
  return {
    end,
    report: [
      ...(unmended === undefined ? [] : scaffoldLines(unmended.after).map((line) => `broken:  ${line}`)),
      ...scaffoldLines(after),
      ...(again.after.write.size + again.after.remove.length === 0
        ? []
        : [`A SECOND RUN CHANGES ${[...again.after.write.keys(), ...again.after.remove].join(', ')}`]),
    ],
  }
}

/** The page with every expectation replaced by what comes of it. */
export function renderPage(text: string, run: Run): string {
  const { expected } = parsePage(text)
  return withFences(text, (fence) => {
    if (!expected.some(({ index }) => index === fence.index)) return undefined
    if (fence.kind === 'report') return { text: run.report.map((line) => `${line}\n`).join('') }
    if (fence.kind !== 'ts' && fence.kind !== 'gone') return undefined
    const [path = '', ...flags] = fence.target.split(' ')
    const actual = run.end.get(path)
    if (actual === undefined) return { kind: 'gone', target: path, text: '' }
    return { kind: 'ts', text: shown(actual, flags) }
  })
}

function withTexts(files: Files, fences: readonly Fence[]): Files {
  return new Map([...files, ...fences.map(({ target, text }): [string, string] => [target, text])])
}

/** A file's bytes from what a page shows of it. */
function written(text: string, flags: readonly string[]): string {
  const marked = text.replaceAll('<U+2028>', '\u2028').replaceAll('<TAB>', '\t')
  const ended = flags.includes('noeol') ? marked.replace(/\n$/, '') : marked
  const lines = flags.includes('crlf') ? ended.replaceAll('\n', '\r\n') : ended
  return flags.includes('bom') ? `\ufeff${lines}` : lines
}

/** What a page shows of a file; whatever its flags do not promise is shown as it is. */
function shown(text: string, flags: readonly string[]): string {
  let rest = text.replaceAll('\u2028', '<U+2028>').replaceAll('\t', '<TAB>')
  if (flags.includes('bom')) rest = rest.startsWith('\ufeff') ? rest.slice(1) : `(no byte order mark)${rest}`
  if (flags.includes('crlf')) rest = rest.replace(/(?<!\r)\n/g, '(LF)\n').replaceAll('\r\n', '\n')
  if (flags.includes('noeol')) rest = rest.endsWith('\n') ? `${rest}(ends with a line break)\n` : `${rest}\n`
  return rest.endsWith('\n') ? rest : `${rest}(no line break at the end)\n`
}
