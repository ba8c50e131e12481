import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { catalogue } from '../../generator/diagnostics/catalogue.js'
import { changeIds } from '../../generator/diff/change/catalogue.js'
import { contentsOf } from '../../scripts/docs/contents.js'
import { changeAddress, tablePages } from '../../scripts/docs/pages.js'
import { goldenText, isUpdating } from '../golden.js'
import { runDuet } from '../in-process.js'

// `npm run docs:pages` writes the pages anew.

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['docs/lint', 'docs/changes']

let pages: ReadonlyMap<string, string>
beforeAll(async () => {
  const helpOf = async (...command: string[]) => (await runDuet(root, [...command, '--help'])).out
  const help = new Map([['', await helpOf()]])
  for (const [, name = ''] of (help.get('') ?? '').matchAll(/^ {2}(\w+) \[options\]/gm))
    help.set(name, await helpOf(name))
  pages = tablePages(help)
})

it('the generated pages match the tables', () => {
  if (isUpdating) for (const folder of folders) rmSync(join(root, folder), { recursive: true, force: true })
  const stale = [...pages].filter(([path, text]) => goldenText(join(root, path), text) !== text)
  const written = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  )
  expect([...written, 'docs/commands.md', 'llms.txt'].sort()).toEqual([...pages.keys()].sort())
  expect(
    stale.map(([path]) => path),
    'stale: npm run docs:pages writes them',
  ).toEqual([])
})

it('each lint code has a page', () => {
  expect(Object.keys(catalogue).filter((code) => !pages.has(`docs/lint/${code}.md`))).toEqual([])
})

it('each change id has an address, with its name as a heading', () => {
  const lost = [...changeIds.values()].filter((entry) => {
    const [page] = changeAddress(entry).split('#')
    return !new RegExp(`^#+ ${entry.id}$`, 'm').test(pages.get(`docs/changes/${page}`) ?? '')
  })
  expect(lost).toEqual([])
})

it('a page names a level as certain only if no schema can decide', () => {
  const headings = (action: string) => pages.get(`docs/changes/${action}.md`)?.match(/^## In .*$/gm)
  expect(headings('max-set')).toEqual([
    '## In a request: dangerous, unless the schemas decide',
    '## In a request: breaking, unless the schemas decide',
    '## In a response: compatible, unless the schemas decide',
  ])
  expect(headings('deprecated')).toEqual(['## In a request: compatible', '## In a response: compatible'])
  expect(headings('rpc-method-renamed')).toEqual(['## In the document: breaking'])
})

it('docs/README.md lists each handwritten page', () => {
  const listed = contentsOf(readFileSync(join(root, 'docs/README.md'), 'utf8')).flatMap(({ entries }) =>
    entries.map(({ path }) => path.replace(/#.*/, '')),
  )
  const written = ['docs', 'docs/how-to', 'docs/contributing'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => `${folder}/${name}`),
  )
  expect(written.filter((page) => !listed.includes(page))).toEqual([])
})

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/bounds.md'])(
  '%s names paths that exist',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const quoted = [...text.matchAll(/`([a-z][\w.-]*(?:\/[\w.-]+)+)\/?`/g)].flatMap(([, path = '']) => path)
    // A section on one folder names its files from there.
    const starts = ['', 'generator', 'generator/diff', 'runtime', 'service', 'templates']
    const exists = (path: string) =>
      starts.some((start) => ['', '.ts', '.js'].some((end) => existsSync(join(root, start, path + end))))
    expect(quoted.filter((path) => !exists(path) && !/^(dist|duet-[a-z]+)\//.test(path))).toEqual([])
  },
)

it.each([
  ...['README.md', 'spec/README.md', 'examples/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:changes|lint|packages|\.vitepress)\//.test(name))
    .map((name) => `docs/${name}`),
])('%s names paths of this repository that exist', (page) => {
  // Other paths, also those of `spec`, may be of the reader's own project.
  const own = /`((?:generator|runtime|service|templates|test|scripts|docs|examples)\/[\w./-]*)`/g
  const quoted = [...readFileSync(join(root, page), 'utf8').matchAll(own)].map(([, path = '']) => path)
  expect(quoted.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
