import { readFileSync } from 'node:fs'

/** The value of a JSON file, read when first asked for and kept. Throws what reading and parsing throw. */
export function readJsonFile(url: URL): unknown {
  const known = files.get(url.href)
  if (known !== undefined) return known
  const value: unknown = JSON.parse(readFileSync(url, 'utf8'))
  files.set(url.href, value)
  return value
}

const files = new Map<string, unknown>()
