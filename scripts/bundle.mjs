// Bundles the reference's script for trying operations: one classic script, since a page from a file cannot
// load modules. It contains the generated client's transports, so that the page sends what programs send.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const templates = fileURLToPath(new URL('../templates/', import.meta.url))
const bundle = await rolldown({
  input: `${templates}reference/script/main.ts`,
  platform: 'browser',
  tsconfig: `${templates}reference/script/tsconfig.json`,
})
await bundle.write({ file: `${templates}dist/reference.js`, format: 'iife', minify: true, comments: false })
await bundle.close()
