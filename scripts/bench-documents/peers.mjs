// Exits with 0 if openapi-typescript or Redocly (its loader and the rule `struct`) accepts the document, with 1
// if both refuse it, and with 2 if neither accepts it and one of them cannot be loaded or has crashed.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const generator = createRequire(new URL('../../generator/package.json', import.meta.url))
const typescript = generator.resolve('openapi-typescript')
const [file = ''] = process.argv.slice(2)
const { openapiTS, redocly } = await peers().catch(failed)
let hasCrashed = false
const isAccepted = (await accepts(generated)) || (await accepts(linted))
process.exit(isAccepted ? 0 : hasCrashed ? 2 : 1)

async function peers() {
  // `require` finds the CommonJS builds, whose exports `import` puts into `default`.
  const { default: exported } = await import(pathToFileURL(typescript).href)
  const path = createRequire(typescript).resolve('@redocly/openapi-core')
  const openapiTS = exported.default ?? exported
  const redocly = await import(pathToFileURL(path).href)
  for (const [name, call] of Object.entries({
    openapiTS,
    lint: redocly.lint,
    config: redocly.createConfig,
  })) {
    if (typeof call !== 'function') throw new Error(`${name} is not a function`)
  }
  return { openapiTS, redocly }
}

/** @param {unknown} error @returns {never} */
function failed(error) {
  console.error(error)
  process.exit(2)
}

/** @param {() => Promise<boolean>} peer */
async function accepts(peer) {
  try {
    return await peer()
  } catch (error) {
    // Peers refuse a document with a plain Error.
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
      console.error(error)
      hasCrashed = true
    }
    return false
  }
}

async function generated() {
  await openapiTS(pathToFileURL(file), { silent: true })
  return true
}

async function linted() {
  const config = await redocly.createConfig({ rules: { struct: 'error' } })
  const problems = await redocly.lint({ ref: fileURLToPath(pathToFileURL(file)), config })
  return problems.every((/** @type {{ severity: string }} */ { severity }) => severity !== 'error')
}
