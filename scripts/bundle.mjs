// Bundles scripts of pages, each to one classic script, since a page from a file cannot load modules. That of the
// reference contains the generated client's transports, so that the page sends what programs send.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const templates = fileURLToPath(new URL('../templates/', import.meta.url))
for (const [name, input] of [
  ['reference', 'main'],
  ['spelling', 'spelling'],
]) {
  const bundle = await rolldown({
    input: `${templates}reference/script/${input}.ts`,
    platform: 'browser',
    tsconfig: `${templates}reference/script/tsconfig.json`,
  })
  const file = `${templates}dist/${name}.js`
  await bundle.write({ file, format: 'iife', name: `${name}`, minify: true, comments: false })
  await bundle.close()
}
