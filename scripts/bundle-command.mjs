// Bundles the command `duet` from its build: reading four hundred small files takes longer than most reviews.
// Each command still loads on demand. Not minified, so that stacks are readable. CommonJS, since before Node
// 22.1 only CommonJS can be cached as compiled code (generator/bin/compiled.js).
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const build = fileURLToPath(new URL('../generator/dist/', import.meta.url))
const templates = fileURLToPath(new URL('../templates/', import.meta.url))
const ours = /^(duet-runtime(\/|$)|\.|\/)/
/**
 * Packages that a review or a small document needs, with their dependencies: two hundred files. All others
 * stay external.
 */
const bundled = new RegExp(
  `^(${[
    ...[
      '@eslint-community/regexpp',
      'ajv',
      'ajv-draft-04',
      'ajv-formats',
      'commander',
      'picocolors',
      'semver',
    ],
    ...['fast-deep-equal', 'fast-uri', 'json-schema-traverse'],
    ...['find-my-way', 'fast-decode-uri-component', 'fast-querystring', 'ret', 'safe-regex2'],
    ...['temporal-polyfill', 'temporal-utils'],
    ...['refa', 'scslre', 'regexp-ast-analysis'],
    ...['markdown-it', 'entities', 'linkify-it', 'mdurl', 'punycode.js', 'uc.micro'],
    'handlebars/runtime',
  ].join('|')})(/|$)`,
)
/** Packages that few documents need. Each becomes a file of its own, which is loaded on demand. */
const onDemand = Object.fromEntries(
  ['refa', 'scslre'].map((name) => [name, fileURLToPath(import.meta.resolve(name))]),
)

const service =
  /runtime\/dist\/(faces|http|jsonrpc|mcp|protocols|rest\/server|served-version|server|shadow|versions)(\/|\.js)|node_modules\/(find-my-way|ret|safe-regex2|fast-querystring|fast-decode-uri-component)\//

/** What most commands load. The reference also needs a little of what compares documents. */
const shared = new RegExp(
  [
    'dist/(cache|cli/shared|code|extend|lint|load|model|patterns|samples|schema)/',
    'dist/project/(?!handlebars|precompiled|templates)',
    'dist/diff/(change/(change|level|protocol)|facts/parts/media|proof/calls/credentials|report/(curl|words))',
    'dist/mcp/(has-tools|tool-mode)',
    'runtime/dist/(client|parameter)',
  ].join('|'),
)

rmSync(`${build}command`, { recursive: true, force: true })
const output = await bundle()
writeFileSync(`${build}command/LICENSES.txt`, licenses(output))
// Tells bin/duet.js which build the bundle was made from. Timestamps cannot: a build that changes nothing is
// newer, too.
copyFileSync(`${build}tsconfig.tsbuildinfo`, `${build}command/built-from`)

async function bundle() {
  const precompiled = await precompiledTemplates()
  const made = await rolldown({
    input: { main: `${build}cli/main.js`, ...onDemand },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: (id) => id in onDemand || !(ours.test(id) || bundled.test(id)),
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'lazy-require',
        // Without this local function, rolldown bundles the modules that `require` names and runs them when
        // they are required.
        transform: (code) =>
          code
            .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
            .replace(/createRequire\(import\.meta\.url\)\('(\w+)'\)/, (call, name) =>
              name in onDemand ? `require('${name}')` : call,
            ),
      },
      {
        name: 'precompiled-templates',
        load: (id) => (id.endsWith('/dist/project/precompiled.js') ? precompiled : undefined),
      },
    ],
  })
  const { output } = await made.write({
    dir: `${build}command`,
    // Comments are a sixth of what every start reads.
    comments: false,
    // V8 keeps a text with any other character in two bytes a character.
    charset: 'ascii',
    format: 'cjs',
    strict: true,
    paths: (id) => (id in onDemand ? `./${id}.cjs` : id),
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // Puts the modules that commands share into few files: what all of them read documents with, AJV, what
    // serves calls, what compares documents, and what writes files. By default every combination of commands
    // gets a file.
    codeSplitting: {
      groups: [
        { name: 'ajv', test: /node_modules\/ajv/, priority: 5 },
        { name: 'shared', minShareCount: 2, test: shared, priority: 4 },
        // The runtime's server is loaded to send calls: by proofs and the mock.
        { name: 'service', includeDependenciesRecursively: false, test: service, priority: 3 },
        // Only what sends calls needs the runtime's server.
        {
          ...{ name: 'calls', includeDependenciesRecursively: false, priority: 3 },
          test: /dist\/diff\/proof\/calls\/service\./,
        },
        {
          name: 'validators',
          includeDependenciesRecursively: false,
          test: /dist\/validators\//,
          priority: 3,
        },
        { name: 'comparison', minShareCount: 2, test: /dist\/(cli\/diff|contains|diff)\//, priority: 2 },
        { name: 'generation', minShareCount: 2, test: /dist\/cli\//, priority: 1 },
      ],
    },
  })
  await made.close()
  return output
}

/** The module with the templates of `duet generate`. Compiling them takes as long as generating ten operations. */
async function precompiledTemplates() {
  const { precompile } = createRequire(`${build}index.js`)('handlebars')
  const { templateKey } = await import('../generator/dist/project/handlebars.js')
  const { textOptions } = await import('../generator/dist/project/templates.js')
  const { pageTemplates, partials } = await import('../generator/dist/reference/assets.js')
  const { pageOptions } = await import('../generator/dist/reference/pages.js')
  /** @type {(name: string, options: object) => string} */
  const entry = (name, options) => {
    const text = readFileSync(`${templates}${name}.hbs`, 'utf8')
    // A copy, because Handlebars adds to the options.
    return `[${JSON.stringify(templateKey(text, options))}, ${precompile(text, { ...options })}]`
  }
  const made = [
    entry('package-readme', textOptions),
    ...[...pageTemplates, ...partials].map((name) => entry(name, pageOptions)),
  ]
  return `export const precompiled = new Map([${made.join(',\n')}])`
}

/** @param {readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} files */
function licenses(files) {
  const modules = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id) ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no licence to go with its code`)
    return `${name} ${version}\n\n${readFileSync(folder + file, 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
