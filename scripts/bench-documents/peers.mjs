// Exits with 0 if openapi-typescript or Redocly (its loader and the rule `struct`) accepts the document.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const generator = createRequire(new URL('../../generator/package.json', import.meta.url))
const typescript = generator.resolve('openapi-typescript')
const [file = ''] = process.argv.slice(2)
const isAccepted = (await generated()) || (await linted())
process.exit(isAccepted ? 0 : 1)

async function generated() {
  try {
    const { default: openapiTS } = await import(pathToFileURL(typescript).href)
    await openapiTS(pathToFileURL(file), { silent: true })
    return true
  } catch {
    return false
  }
}

async function linted() {
  try {
    const path = createRequire(typescript).resolve('@redocly/openapi-core')
    const { lint, createConfig } = await import(pathToFileURL(path).href)
    const config = await createConfig({ rules: { struct: 'error' } })
    const problems = await lint({ ref: fileURLToPath(pathToFileURL(file)), config })
    return problems.every((/** @type {{ severity: string }} */ { severity }) => severity !== 'error')
  } catch {
    return false
  }
}
