import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const faults = ['**/*.faults.test.ts']

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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
