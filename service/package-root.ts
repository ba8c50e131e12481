import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Directory of this package, from its sources as well as from its build in `dist/`. */
export const packageRoot = rootOf(dirname(fileURLToPath(import.meta.url)))

function rootOf(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory
  const parent = dirname(directory)
  if (parent === directory) throw new Error('The package.json of the service is missing')
  return rootOf(parent)
}
