import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Model } from '../../model/model.js'
import { findConfig } from '../../project/config.js'
import type { Terminal } from '../../project/terminal.js'
import { UsageError } from '../../project/usage-error.js'

/**
 * The module from which files of a folder import the generated version: the given one, else the configured package,
 * else the folder that `duet generate` writes.
 */
export function apiModule(
  given: string | undefined,
  model: Model,
  folder: string,
  { cwd }: Pick<Terminal, 'cwd'>,
): string {
  if (given === '') throw new UsageError('--api needs a package or a path.')
  const config = findConfig(cwd)
  const inPackage = (name: string): string =>
    // A package name that already ends in the version means the same.
    name.endsWith(`/${model.version}`) ? name : `${name}/${model.version}`
  if (given === undefined && config !== undefined) return inPackage(config.package)
  const name = given ?? join('generated', model.version)
  const isPath = given === undefined || /^\.|\.[jt]s$/.test(name) || existsSync(resolve(cwd, name))
  if (!isPath) return inPackage(name)
  const file = /\.[jt]s$/.test(name) ? name : `${name}/index.js`
  const path = relative(folder, resolve(cwd, file.replace(/\.ts$/, '.js')))
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}
