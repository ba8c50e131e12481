import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Which tests run: `unit` those of single parts, `long` those tagged `long`, which are CI's second stage, `all` both
 * stages; without it the first stage.
 */
const stage = process.env.STAGE
/** What a test file imports to start processes, databases or browsers. */
const starts =
  /from '(?:node:child_process|.*(?:testing\/[\w-]+|\/(?:browser|built-duet|compile|service-process|shown-calls))\.js)'/
/** What it imports to run commands, or documents through many stages. */
const drives = /from '.*\/(?:adapted|compared|examine|fences|in-process)\.js'/
/** Tests of commands, and of all parts together. */
const whole = /^(?:test|generator\/cli)\//
const isUnit = (path: string, text: string) => !(whole.test(path) || starts.test(text) || drives.test(text))
const folders = ['runtime', 'generator', 'service', 'test', 'scripts']
const faults = process.env.FAULTS !== undefined

/** Files that take longest, longest first: begun last, one of them would run on alone. */
const longest = `
  test/init service/commands/backup.process service/server.process generator/cli/generate/watch generator/diff/scenarios
  test/probe/billing service/stop.process generator/cli/process test/hostile/bombs test/release/packages
  test/hostile/hostile test/security/overload test/security/slow-bodies test/browser/administration
  generator/cli/adapter-gate test/probe/tools generator/adapt/soundness test/scaffold/scaffold generator/emit/emit
  test/scaffold/compile generator/diff/reach service/storage/embedded/data-directory test/scaffold/moves
  test/browser/reference test/versions service/server/service test/legal/legal service/storage/tables/recent
  test/security/limits service/storage/embedded/embedded test/security/headers generator/cli/diff/diff-gate
`
  .trim()
  .split(/\s+/)
  .map((name) => at(`${name}.test.ts`))

/** A file that holds no test of the stage is not loaded. */
function chosen(): string[] {
  if (faults) return ['**/*.faults.test.ts']
  const paths = folders.flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  const tests = paths.filter((path) => /^(?!.*(?:node_modules|dist)\/).*(?<!\.faults)\.test\.ts$/.test(path))
  return tests.filter((path) => {
    // These install packages: `npm run test:platforms`, `npm run test:conformance`.
    if (path.startsWith('test/platforms/')) return process.env.PLATFORM !== undefined
    if (path.startsWith('test/conformance/')) return process.env.CONFORMANCE !== undefined
    const text = readFileSync(at(path), 'utf8')
    if (stage === 'long') return /'long'|@module-tag long|onEachDriver/.test(text)
    if (stage === 'all') return true
    return !text.includes('@module-tag long') && (stage !== 'unit' || isUnit(path, text))
  })
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longest.indexOf(moduleId) + 1 || Infinity
    return (await super.sort(files)).sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)))
  }
}

export default defineConfig({
  resolve: {
    // Tests read the sources, so that no stale build can answer for them; processes that tests start run the build.
    alias: [
      { find: /^duet-runtime$/, replacement: at('runtime/index.ts') },
      { find: /^duet-runtime\/catalogue$/, replacement: at('runtime/contract/catalogue.ts') },
      { find: /^duet-runtime\/(client|parameter|schema|validation)$/, replacement: at('runtime/$1.ts') },
      { find: /^@billing\/api\/([^/]+)$/, replacement: at('generated/$1/index.ts') },
      // Most tests of the service hash a password, each with 64 MiB for an eighth of a second.
      { find: /^\.\/password-cost\.js$/, replacement: at('test/password-cost.ts') },
      { find: /^@electric-sql\/pglite$/, replacement: at('test/pglite.ts') },
      { find: /^@billing\/api\/([^/]+)\/client$/, replacement: at('generated/$1/client.ts') },
    ],
  },
  test: {
    include: chosen(),
    exclude: ['**/node_modules/**', '**/dist/**'],
    tags: [{ name: 'long', description: 'CI runs it in its second stage.' }],
    ...(!faults && stage !== 'all' && { tagsFilter: [stage === 'long' ? 'long' : '!long'] }),
    // Later runs read transformed modules from the disk.
    experimental: { fsModuleCache: true },
    // The default leaves a core free, which on two cores is half of them.
    maxWorkers: 2,
    // Most of a small file's time went to loading the compiler anew. No module that tests share keeps state.
    isolate: false,
    // Optimised WebAssembly costs more time than tests of an embedded database win by it.
    execArgv: ['--liftoff-only'],
    globalSetup: [at('test/scratch.ts')],
    setupFiles: [at('test/seed.ts')],
    sequence: { sequencer: LongestFirst },
    // No test asks how soon: what is waited for comes, and a busy machine takes longer.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // The long run of properties takes minutes each.
    testTimeout: process.env.PROPERTIES === 'all' ? 1_800_000 : 300_000,
    hookTimeout: 300_000,
  },
})
