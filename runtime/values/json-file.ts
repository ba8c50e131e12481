/**
 * The value of a JSON file, read on first use and cached. Throws what reading and parsing throw, and an Error
 * on a platform without files.
 */
export function readJsonFile(url: URL): unknown {
  const known = files.get(url.href)
  if (known !== undefined) return known
  // An import of node:fs would keep browsers and Workers from loading modules that never read a file.
  const fs = globalThis.process?.getBuiltinModule('node:fs')
  if (fs === undefined) throw new Error(`Cannot read ${url.href}: this platform has no files`)
  const value: unknown = JSON.parse(fs.readFileSync(url, 'utf8'))
  files.set(url.href, value)
  return value
}

const files = new Map<string, unknown>()
