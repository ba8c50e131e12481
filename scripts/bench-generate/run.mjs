// npm run bench:generate -- DOCUMENT... [--rounds N]
//
// Generates each document with duet, all outputs on, and with its peers, alternating, in a new process every
// time. Prints medians: seconds of processor time, peak memory of the largest process, files, bytes, and the
// result of `tsc --strict` on the output. Further rows only have duet: nothing changed since the last run, one
// operation changed, and the same document with a second copy of every path and component.
import '../help.mjs'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { refuse } from '../help.mjs'
import { installPeers, median, usageOf } from '../measure/process.mjs'
import { doubled, withOneChange } from './documents.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
})
if (positionals.length === 0) refuse()

/**
 * `before` runs unmeasured in each round, in the folder that the measured run gets.
 * @typedef {{ document: string, out: string }} Paths
 * @typedef {{ name: string, makes: string, args: (paths: Paths) => string[], before?: (paths: Paths) => void }} Generator
 */
/** @typedef {import('../measure/process.mjs').Usage} Run */

const bin = (/** @type {string} */ name) => join(here, 'node_modules', name)

/** @type {Generator[]} */
const generators = [
  {
    name: 'duet',
    makes: 'all artifacts',
    args: (paths) => duet(paths, '--no-cache'),
  },
  {
    name: 'openapi-typescript',
    makes: 'types',
    args: ({ document, out }) => [
      bin('openapi-typescript/bin/cli.js'),
      document,
      '-o',
      join(out, 'types.ts'),
    ],
  },
  {
    name: 'hey-api',
    makes: 'types, SDK',
    args: ({ document, out }) => [
      bin('@hey-api/openapi-ts/bin/run.js'),
      '-i',
      document,
      '-o',
      out,
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file',
    ],
  },
  {
    name: 'orval',
    makes: 'types, client',
    args: ({ document, out }) => [
      bin('orval/dist/bin/orval.js'),
      '--input',
      document,
      '--output',
      join(out, 'client.ts'),
      '--client',
      'fetch',
    ],
  },
  {
    name: 'swagger-typescript-api',
    makes: 'types, client',
    args: ({ document, out }) => [
      bin('swagger-typescript-api/dist/cli.mjs'),
      'generate',
      '-p',
      document,
      '-o',
      out,
      '-n',
      'api.ts',
    ],
  },
]

/** @type {Generator[]} */
const variants = [
  {
    name: 'duet unchanged',
    makes: 'nothing',
    before: (paths) => timed(duet(paths), paths),
    args: (paths) => duet(paths),
  },
  {
    name: 'duet one change',
    makes: 'what changed',
    before: (paths) => {
      timed(duet(paths), paths)
      rewrite(paths.document, withOneChange)
    },
    args: (paths) => duet(paths),
  },
  {
    name: 'duet doubled',
    makes: 'all artifacts',
    before: ({ document }) => rewrite(document, doubled),
    args: (paths) => duet(paths, '--no-cache'),
  },
]

/** @param {Paths} paths @param {...string} options */
function duet({ document, out }, ...options) {
  return [join(root, 'generator/bin/duet.js'), 'generate', document, '--out', out, ...options]
}

/** @param {string} file @param {(document: any) => any} change */
function rewrite(file, change) {
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
}

installPeers(here)
const rounds = Number(values.rounds)
const scratch = mkdtempSync(join(tmpdir(), 'bench-generate-'))
for (const document of positionals) bench(prepared(document), basename(document))
rmSync(scratch, { recursive: true, force: true })

/**
 * The copy for every generator. Peers treat a `$ref` inside an example as a reference and fetch it, and orval
 * treats a path with "github" in it as a repository.
 * @param {string} document @returns {string}
 */
function prepared(document) {
  const copy = join(scratch, 'document.json')
  writeFileSync(copy, JSON.stringify(withoutExampleReferences(parse(readFileSync(document, 'utf8')), false)))
  return copy
}

/** @param {unknown} value @param {boolean} isExample @returns {unknown} */
function withoutExampleReferences(value, isExample) {
  if (Array.isArray(value)) return value.map((item) => withoutExampleReferences(item, isExample))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([key, member]) => [
    isExample && key === '$ref' ? 'ref' : key,
    withoutExampleReferences(
      member,
      isExample || key === 'example' || (key === 'examples' && !('properties' in value)),
    ),
  ])
  return Object.fromEntries(members)
}

/** @param {string} document @param {string} title */
function bench(document, title) {
  const all = [...generators, ...variants]
  /** @type {Map<string, Run[]>} */
  const runs = new Map(all.map(({ name }) => [name, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const generator of all) {
      if (process.stderr.isTTY) process.stderr.write(`${title} ${round}/${rounds} ${generator.name}\r\x1b[K`)
      const paths = freshPaths(generator, document)
      generator.before?.(paths)
      runs.get(generator.name)?.push(timed(generator.args(paths), paths))
    }
  }
  console.log(`\n### ${title}: medians of ${rounds} rounds, Node ${process.version}\n`)
  console.log('| generator | makes | processor s | of duet | peak MB | files | bytes | tsc s | tsc errors |')
  console.log('| --- | --- | --: | --: | --: | --: | --: | --: | --: |')
  const own = median((runs.get('duet') ?? []).map(({ cpu }) => cpu))
  for (const generator of all) console.log(row(generator, runs.get(generator.name) ?? [], own))
}

/** @param {Generator} generator @param {Run[]} runs @param {number} own */
function row({ name, makes }, runs, own) {
  const failed = runs.find(({ status }) => status !== 0)
  if (failed) return `| ${name} | ${makes} | exit ${failed.status} | | | | | | |`
  const seconds = median(runs.map((run) => run.cpu))
  const megabytes = median(runs.map((run) => run.megabytes))
  const folder = join(scratch, name)
  const files = filesIn(join(folder, 'out'))
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  const { seconds: tscSeconds, errors } = typeCheck(folder, files)
  const cells = [
    name,
    makes,
    seconds.toFixed(2),
    (seconds / own).toFixed(2),
    megabytes.toFixed(0),
    files.length,
    bytes,
    tscSeconds.toFixed(1),
    errors,
  ]
  return `| ${cells.join(' | ')} |`
}

/** @param {string[]} args @param {Paths} paths @returns {Run} */
function timed(args, { out }) {
  return usageOf(process.execPath, args, { cwd: dirname(out), scratch })
}

/** @param {string} folder @param {string[]} files */
function typeCheck(folder, files) {
  const options = {
    strict: true,
    // Bundler resolution: peers write imports without an extension.
    module: 'preserve',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    noEmit: true,
    skipLibCheck: true,
  }
  const config = { compilerOptions: options, files: files.filter((file) => file.endsWith('.ts')) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const start = performance.now()
  const tsc = join(here, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, ['--max-old-space-size=8192', tsc, '-p', folder], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return {
    seconds: (performance.now() - start) / 1000,
    errors: stdout.split('\n').filter((line) => line.includes('error TS')).length,
  }
}

/**
 * A new folder with a copy of the document. It resolves imports like a project that has installed this
 * runtime. Its node_modules is not shared, so that no run uses another's cache.
 * @param {Generator} generator @param {string} document @returns {Paths}
 */
function freshPaths({ name }, document) {
  const folder = join(scratch, name)
  rmSync(folder, { recursive: true, force: true })
  const modules = join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  for (const entry of readdirSync(join(root, 'node_modules')))
    if (!entry.startsWith('.')) symlinkSync(join(root, 'node_modules', entry), join(modules, entry))
  const copy = join(folder, 'document.json')
  copyFileSync(document, copy)
  return { document: copy, out: join(folder, 'out') }
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
