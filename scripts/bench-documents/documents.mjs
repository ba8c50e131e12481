import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The OpenAPI and Swagger documents below folders, sorted; those of the same bytes once.
 * @param {readonly string[]} folders
 */
export function documentsOf(folders) {
  /** @type {Map<string, string>} */
  const found = new Map()
  for (const file of folders.flatMap((folder) => filesOf(resolve(folder))).sort()) {
    const text = readFileSync(file, 'utf8')
    if (!isDocument(file, text)) continue
    const digest = createHash('sha256').update(text).digest('hex')
    if (!found.has(digest)) found.set(digest, file)
  }
  return [...found.values()]
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) return /\.(json|ya?ml)$/.test(path) && stat.size < 50_000_000 ? [path] : []
  if (!stat?.isDirectory()) return []
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isSymbolicLink() || entry.name === '.git' ? [] : filesOf(join(path, entry.name)),
  )
}

/**
 * Whether a file's root declares an API document with operations. @param {string} file @param {string} text
 */
function isDocument(file, text) {
  if (!file.endsWith('.json'))
    return (
      /^['"]?(openapi|swagger)['"]?[ \t]*:[ \t]*['"]?[23]\b/m.test(text) &&
      /^['"]?(paths|webhooks)['"]?[ \t]*:/m.test(text)
    )
  if (!/"(openapi|swagger)"\s*:\s*"?[23]\b/.test(text)) return false
  try {
    const { openapi, swagger, paths, webhooks } = JSON.parse(text)
    return (openapi ?? swagger) !== undefined && (paths ?? webhooks) !== undefined
  } catch {
    return true
  }
}
