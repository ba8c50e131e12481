import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, own } from '../load/json.js'

/** A package that a new project depends on, as its package.json names it. */
export interface Dependency {
  readonly name: string
  /** A version, or a `file:` path. */
  readonly specifier: string
}

/**
 * Where a project finds duet and its runtime: at a version where duet itself came from a registry, else by the path
 * of the folder that it runs from (a checkout, an unpacked tarball).
 *
 * @param project absolute path of the project's folder
 */
export function duetDependencies(project: string): {
  readonly duet: Dependency
  readonly runtime: Dependency
} {
  const duet = packageRoot(fileURLToPath(import.meta.url))
  const runtime = dirname(realpathSync(createRequire(import.meta.url).resolve('duet-runtime/package.json')))
  return {
    duet: { name: 'duet-api', specifier: specifierOf('duet-api', duet, project) },
    runtime: { name: 'duet-runtime', specifier: specifierOf('duet-runtime', runtime, project) },
  }
}

/** How a project names a package that stands in the folder `root`. */
export function specifierOf(name: string, root: string, project: string): string {
  return isFromRegistry(name, root) ? versionOf(root) : pathSpecifier(project, root)
}

/** Versions of what else a project needs: those that duet itself is built with. */
export function toolVersions(): { readonly typescript: string; readonly node: string } {
  const manifest = readManifest(packageRoot(fileURLToPath(import.meta.url)))
  const dependencies = own(manifest, 'dependencies')
  const typescript =
    dependencies !== undefined && isObject(dependencies) ? own(dependencies, 'typescript') : undefined
  return { typescript: typeof typescript === 'string' ? typescript : '5.9.3', node: '20.19.43' }
}

function pathSpecifier(project: string, root: string): string {
  return `file:${relative(project, root).split(sep).join('/')}`
}

/** npm notes beside what it installs where each package came from. */
function isFromRegistry(name: string, root: string): boolean {
  const modules = root.slice(0, -name.length - 1)
  const note = join(modules, '.package-lock.json')
  if (!modules.endsWith('node_modules') || !existsSync(note)) return false
  const lock: unknown = JSON.parse(readFileSync(note, 'utf8'))
  const packages = isObject(lock) ? own(lock, 'packages') : undefined
  const entry =
    packages !== undefined && isObject(packages) ? own(packages, `node_modules/${name}`) : undefined
  const resolved = entry !== undefined && isObject(entry) ? own(entry, 'resolved') : undefined
  return typeof resolved === 'string' && /^https?:/.test(resolved)
}

function versionOf(root: string): string {
  const version = own(readManifest(root), 'version')
  return typeof version === 'string' ? version : '*'
}

function readManifest(root: string) {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return isObject(manifest) ? manifest : {}
}

/** The nearest folder above a file that is a package. */
function packageRoot(file: string): string {
  let folder = dirname(realpathSync(file))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
