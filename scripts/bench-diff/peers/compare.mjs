// The peers are libraries; this runs them as a command: node compare.mjs PEER OLD NEW, with JSON documents.
import { readFileSync } from 'node:fs'

const [peer, ...files] = process.argv.slice(2)
const [before, after] = files.map((file) => readFileSync(file, 'utf8'))
if (peer === 'api-smart-diff') {
  const { apiCompare } = await import('api-smart-diff')
  console.log(apiCompare(JSON.parse(before), JSON.parse(after)).diffs.length)
} else {
  const { default: openapiDiff } = await import('openapi-diff')
  const side = (content, location) => ({ content, location, format: 'openapi3' })
  const result = await openapiDiff.diffSpecs({
    sourceSpec: side(before, files[0]),
    destinationSpec: side(after, files[1]),
  })
  console.log(result.breakingDifferencesFound)
}
