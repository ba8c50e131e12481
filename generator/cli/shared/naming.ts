import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { type EarlierName, isStrategy, type Naming, type Strategy } from '../../model/naming/naming.js'
import { compareVersions } from '../../model/version-order.js'
import { findConfig } from '../../project/config.js'
import { manifestInside } from '../../project/folder.js'
import type { Settings } from '../../project/settings.js'

/**
 * How to name the operations of a document: by the config file, else as in this version when it was last
 * generated, else as in the version before. Operations keep the names that they had there.
 *
 * @param cwd the project's folder
 * @param output where generated versions are. Default: where the project has them
 * @throws UsageError if the config file is invalid
 */
export function namingOf(document: Document, cwd: string, output: Output = {}): Naming {
  const config = findConfig(cwd)
  const version = text(own(document.root, 'info') ?? null, 'version') ?? ''
  const { folder, versions = resolve(cwd, config?.out ?? 'generated') } = output
  const known =
    folder === undefined ? generatedBefore(versions, version, output.titles) : generatedNames(folder)
  const strategy = statedStrategy(config?.naming, version) ?? known?.strategy ?? 'operationId'
  return { strategy, earlier: known?.strategy === strategy ? known.earlier : [] }
}

/** Absolute paths. */
export interface Output {
  /** The folder of this document alone. */
  readonly folder?: string
  /** The folder with a folder for each version. */
  readonly versions?: string
  /** The titles of the document's API. Generated versions of another API do not count. Absent: all count. */
  readonly titles?: readonly string[] | undefined
}

type GeneratedNaming = Required<Naming>

function statedStrategy(naming: Settings['naming'], version: string): Strategy | undefined {
  if (typeof naming !== 'object') return naming
  return Object.hasOwn(naming, version) ? naming[version] : undefined
}

/** The names of this version when it was last generated, else of the newest version before it. */
function generatedBefore(
  folder: string,
  version: string,
  titles: readonly string[] | undefined,
): GeneratedNaming | undefined {
  const versions = foldersOf(folder).filter((name) => compareVersions(name, version) <= 0)
  for (const name of versions.sort(compareVersions).reverse()) {
    const title = titles && generatedDocument(join(folder, name))?.title
    if (title !== undefined && titles?.includes(title) === false) continue
    const known = generatedNames(join(folder, name))
    if (known !== undefined) return known
  }
  return undefined
}

/** The title of documents without one, in manifests. */
export const untitled = 'API'

/** The title and the version of the document from which a folder was generated. Undefined if it does not say. */
export function generatedDocument(folder: string): { title: string; version: string } | undefined {
  const document = own(manifestInside(folder) ?? {}, 'document') ?? null
  const [title, version] = [text(document, 'title'), text(document, 'version')]
  return title === undefined || version === undefined ? undefined : { title, version }
}

function foldersOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}

/** The names in a manifest. A manifest without `naming` is older than the choice of a strategy. */
function generatedNames(folder: string): GeneratedNaming | undefined {
  const manifest = manifestInside(folder)
  if (manifest === undefined) return undefined
  const naming = own(manifest, 'naming')
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
  const stated = own(entry, 'stated') === true
  return [
    {
      name,
      method,
      path,
      ...(typeof operationId === 'string' && { operationId }),
      ...(stated && { stated }),
    },
  ]
}
