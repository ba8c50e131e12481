import { createRequire } from 'node:module'
import type * as yamlPackage from 'yaml'

/** The package that reads YAML. Loaded on demand. */
export function yaml(): typeof yamlPackage {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof yamlPackage
  return loaded
}

let loaded: typeof yamlPackage | undefined
