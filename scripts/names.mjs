// Prints the operation names of documents as a table for review:
//   node scripts/names.mjs [--first N] [--strategy operationId|path|classic] DOCUMENT...
import './help.mjs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { loadDocument } from '../generator/dist/load/load.js'
import { findOperations, operationNames } from '../generator/dist/model/build/found-operations.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { first: { type: 'string', default: '15' }, strategy: { type: 'string', default: 'operationId' } },
})
if (positionals.length === 0) throw new Error('Name a document')
for (const file of positionals) {
  const { document } = loadDocument(file, { cwd: process.cwd(), remote: false })
  if (document === undefined) throw new Error(`${file} cannot be read`)
  /** @type {any[]} */
  const diagnostics = []
  const found = findOperations(document)
  const strategy = /** @type {any} */ (values.strategy)
  const names = operationNames(document, found, { strategy }, diagnostics)
  const renamed = diagnostics.filter(({ code }) => code === 'operation-renamed').length
  console.log(`### ${basename(file)}\n\n${found.length} operations, ${renamed} whose names clash.\n`)
  console.log('| operation | operationId | name |\n| --- | --- | --- |')
  for (const [index, { verb, path, operation }] of found.slice(0, Number(values.first)).entries()) {
    const id = /** @type {any} */ (operation.value).operationId
    console.log(
      `| \`${verb.toUpperCase()} ${path}\` | ${id === undefined ? '' : `\`${id}\``} | \`${names[index]}\` |`,
    )
  }
  console.log()
}
