import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const faults = ['**/*.faults.test.ts']

/** Files that take longest, longest first: begun last, one of them would run on alone. */
const longest = [
  ...['test/init', 'service/server.process', 'test/parity', 'service/crash.process', 'service/stop.process'],
  ...['test/hostile/hostile', 'test/hostile/bombs', 'test/hostile/commands', 'test/scaffold-compile'],
  ...['test/security/limits', 'test/security/headers', 'test/security/fuzz', 'test/security/wire'],
  ...['test/packages', 'generator/cli/watch', 'generator/contains/soundness', 'service/identity/identity'],
  ...['test/browser/administration', 'test/browser/reference', 'generator/cli/process'],
].map((name) => at(`${name}.test.ts`))

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
      { find: /^@duet\/runtime$/, replacement: at('runtime/index.ts') },
      { find: /^@duet\/runtime\/catalogue$/, replacement: at('runtime/core/catalogue.ts') },
      { find: /^@duet\/runtime\/(client|validation)$/, replacement: at('runtime/$1.ts') },
      { find: /^@billing\/api\/([^/]+)$/, replacement: at('generated/$1/index.ts') },
      { find: /^@billing\/api\/([^/]+)\/client$/, replacement: at('generated/$1/client.ts') },
    ],
  },
  test: {
    // Faults take minutes: `npm run test:faults` runs them, and nothing else.
    include: process.env.FAULTS ? faults : ['{runtime,generator,service,test,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(process.env.FAULTS ? [] : faults)],
    // The default leaves a core free, which on two cores is half of them.
    maxWorkers: 2,
    // Most of a small file's time went to loading the compiler anew. No module that tests share keeps state.
    isolate: false,
    // Optimised WebAssembly costs more time than tests of an embedded database win by it.
    execArgv: ['--liftoff-only'],
    globalSetup: [at('test/scratch.ts')],
    setupFiles: [at('test/seed.ts')],
    sequence: { sequencer: LongestFirst },
    // The long run of properties takes minutes each.
    testTimeout: process.env.PROPERTIES === 'all' ? 1_800_000 : 60_000,
    hookTimeout: 120_000,
  },
})
