import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt'],
  ...['docs', 'examples', 'spec/README.md'],
]
const unwritten = new Set(['.vitepress', 'node_modules', 'dist', 'generated', 'packages'])

/**
 * Copies the documentation with this repository's folders, so that its links work there too. The entry is
 * `llms.txt`.
 * @param {string} folder
 */
export function copyDocs(folder) {
  for (const page of pages)
    cpSync(join(root, page), join(folder, page), {
      recursive: true,
      filter: (path) => !unwritten.has(basename(path)),
    })
}
