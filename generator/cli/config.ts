import { join } from 'node:path'
import { readText } from '../load/file.js'
import { isObject, own } from '../load/json.js'
import { UsageError } from './usage-error.js'

/** What a project sets once, in duet.config.json at its root. */
export interface Config {
  /** npm name of the package that generated/ is. */
  readonly package: string
}

const file = 'duet.config.json'
const example = 'Write: { "package": "@billing/api" }'

/** Reads duet.config.json. Throws UsageError where it is missing or wrong. */
export function readConfig(cwd: string): Config {
  const read = readText(join(cwd, file))
  if ('reason' in read) throw new UsageError(`${file} cannot be read: ${read.reason}. ${example}`)
  const value = parse(read.text)
  if (!isObject(value)) throw new UsageError(`${file} is not a JSON object. ${example}`)
  const unknown = Object.keys(value).find((key) => key !== 'package')
  if (unknown !== undefined)
    throw new UsageError(`${file} has an unknown setting ${JSON.stringify(unknown)}. ${example}`)
  const name = own(value, 'package')
  if (typeof name === 'string' && isPackageName(name)) return { package: name }
  throw new UsageError(`package in ${file} is not the name of an npm package. ${example}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** npm's rules for new packages: small letters, digits and -._, at most 214 characters, perhaps a scope. */
function isPackageName(text: string): boolean {
  return text.length <= 214 && /^(@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/.test(text)
}
