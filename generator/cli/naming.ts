import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Settings } from '../extend/settings.js'
import type { Document } from '../load/document.js'
import { isArray, isObject, own } from '../load/json.js'
import { text } from '../model/cursor.js'
import { type EarlierName, isStrategy, type Naming, type Strategy } from '../model/naming/naming.js'
import { compareVersions } from '../model/version-order.js'
import { findConfig } from './config.js'
import { manifestFiles, readInside } from './folder.js'

/**
 * How the operations of a document are named in a project: as the config file says, else as this version has been
 * generated, else as the version before it. A clash leaves alone who had the name there.
 *
 * @param cwd the project's folder
 * @param folder where this document is generated into, if not where the project's versions are
 * @throws UsageError where the config file is wrong
 */
export function namingOf(document: Document, cwd: string, folder?: string): Naming {
  const config = findConfig(cwd)
  const version = text(own(document.root, 'info') ?? null, 'version') ?? ''
  const home = resolve(cwd, config?.out ?? 'generated')
  const known = folder === undefined ? generatedBefore(home, version) : generatedNames(folder)
  const strategy = statedStrategy(config?.naming, version) ?? known?.strategy ?? 'operationId'
  return { strategy, earlier: known?.strategy === strategy ? known.earlier : [] }
}

type Known = Required<Naming>

function statedStrategy(naming: Settings['naming'], version: string): Strategy | undefined {
  if (typeof naming !== 'object') return naming
  return Object.hasOwn(naming, version) ? naming[version] : undefined
}

/** Names of the version as it was generated, else of the newest before it. */
function generatedBefore(home: string, version: string): Known | undefined {
  const versions = foldersOf(home).filter((name) => compareVersions(name, version) <= 0)
  for (const name of versions.sort(compareVersions).reverse()) {
    const known = generatedNames(join(home, name))
    if (known !== undefined) return known
  }
  return undefined
}

function foldersOf(home: string): string[] {
  try {
    const entries = readdirSync(home, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}

/** What a manifest says of names; one that says nothing is of a version with names of the first strategy. */
function generatedNames(folder: string): Known | undefined {
  if (manifestFiles(folder) === undefined) return undefined
  const manifest: unknown = JSON.parse(readInside(folder, 'manifest.json') ?? 'null')
  const naming = isObject(manifest) ? own(manifest, 'naming') : undefined
  if (!isObject(naming)) return { strategy: 'classic', earlier: [] }
  const strategy = own(naming, 'strategy')
  const operations = own(naming, 'operations')
  return {
    strategy: isStrategy(strategy) ? strategy : ('operationId' satisfies Strategy),
    earlier: isArray(operations) ? operations.flatMap(earlierName) : [],
  }
}

function earlierName(entry: unknown): EarlierName[] {
  if (!isObject(entry)) return []
  const [name, method, path, operationId] = ['name', 'method', 'path', 'operationId'].map((key) =>
    own(entry, key),
  )
  if (typeof name !== 'string' || typeof method !== 'string' || typeof path !== 'string') return []
  return [{ name, method, path, ...(typeof operationId === 'string' && { operationId }) }]
}
