import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A module with all modules that it imports by relative paths, directly or indirectly. Absolute paths. */
export function modulesFrom(file: string): string[] {
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const specifier of relativeSpecifiers(path)) visit(fileMeant(resolve(dirname(path), specifier)))
  }
  visit(file)
  return [...found]
}

/** The same without the module itself. */
export function importsOf(file: string): string[] {
  return modulesFrom(file).slice(1)
}

/**
 * Quoted texts after `from`, `import` or `require`. Loading a parser would take longer than reading one file
 * too many.
 */
function relativeSpecifiers(path: string): string[] {
  if (!/\.[cm]?[jt]s$/.test(path)) return []
  try {
    const text = readFileSync(path, 'utf8')
    const specifiers = text.matchAll(/\b(?:from|import|require)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]*)\1/g)
    return Array.from(specifiers, ([, , specifier = '']) => specifier)
  } catch {
    return []
  }
}

/** The TypeScript source of a JavaScript path. The path itself if neither exists. */
function fileMeant(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path
  const source = path.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [source, ...['ts', 'mts', 'js', 'mjs', 'cjs'].map((ending) => `${path}.${ending}`)]
  return candidates.find((one) => one !== path && existsSync(one)) ?? path
}
