import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, sep } from 'node:path'
import { packageFolder, packageManifest } from '../project/own-package.js'

/** A package that a new project depends on, as its package.json names it. */
export interface Dependency {
  readonly name: string
  /** A range of versions, or a `file:` path. */
  readonly specifier: string
}

/**
 * The duet packages that a project depends on: at least this version, or linked by the path of the folder
 * that duet runs from.
 *
 * @param project absolute path of the project's folder
 */
export function duetDependencies(
  project: string,
  isLinked: boolean,
): { readonly duet: Dependency; readonly runtime: Dependency } {
  const runtime = createRequire(import.meta.url).resolve('duet-runtime/package.json')
  const specifier = (folder: string) =>
    isLinked ? fileSpecifier(project, realpathSync(folder)) : `^${packageManifest().version}`
  return {
    duet: { name: 'duet-api', specifier: specifier(packageFolder()) },
    runtime: { name: 'duet-runtime', specifier: specifier(dirname(runtime)) },
  }
}

/** Versions of the other packages that a project needs: those that duet itself is built with. */
export function toolVersions(): { readonly typescript: string; readonly node: string } {
  const { dependencies, devDependencies } = packageManifest()
  return { typescript: dependencies.typescript, node: devDependencies['@types/node'] }
}

function fileSpecifier(project: string, folder: string): string {
  return `file:${relative(project, folder).split(sep).join('/')}`
}
