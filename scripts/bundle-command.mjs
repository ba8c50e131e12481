// Bundles the command `duet` from its build: to read four hundred small files takes longer than most reviews. Packages stay
// outside, and each command is loaded when it is called, as before. Nothing is minified, so that stacks can be read.
import { copyFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const build = fileURLToPath(new URL('../generator/dist/', import.meta.url))
const ours = /^(duet-runtime(\/|$)|\.|\/)/

rmSync(`${build}command`, { recursive: true, force: true })
const bundle = await rolldown({
  // The worker's file is beside the caller's.
  input: { main: `${build}cli/main.js`, 'type-worker': `${build}emit/type-worker.js` },
  platform: 'node',
  external: (id) => !ours.test(id),
  checks: { ineffectiveDynamicImport: false },
})
await bundle.write({
  dir: `${build}command`,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  // They are a sixth of what is read at each start.
  comments: false,
  // What most commands share is one file; else each set of commands that shares something makes another.
  codeSplitting: {
    groups: [
      { name: 'shared', minShareCount: 2, test: /dist\/(cli|contains|diff|extend|lint|load|model)\// },
    ],
  },
})
await bundle.close()
// By this bin/duet.js knows what the bundle was made of: times say nothing, since a build that changes nothing is newer, too.
copyFileSync(`${build}tsconfig.tsbuildinfo`, `${build}command/built-from`)
