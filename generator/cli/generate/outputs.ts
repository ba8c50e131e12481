import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { displayPath } from '../../document/file.js'
import type { Model } from '../../model/model.js'
import { InvalidInput } from '../shared/invalid-input.js'
import type { Stages } from '../shared/stages.js'
import type { Output } from './comparison.js'
import { isGeneratedPackage } from './package-origin.js'

/** A version and everything generated from it. */
export interface Version {
  readonly spec: string
  readonly title: string
  readonly version: string
  readonly basePath: string
  readonly rpcPath: string
  readonly operations: number
  /** Absent if nothing has changed since an earlier run, so nothing was read. */
  readonly model?: Model
  readonly files: Map<string, string>
  /** `files` has SHA-256 digests in place of texts. */
  readonly hashed?: true
  /** SHA-256 of texts that are already hashed. */
  readonly digests?: ReadonlyMap<string, string>
  /** What makes the texts that `files` only has digests of. */
  readonly makers?: Map<string, () => Promise<string>>
}

export interface OutputOptions {
  readonly cwd: string
  readonly out: string | undefined
  /** The folder of versions, unless the command line names another: `out` of the config file. */
  readonly home?: string | undefined
  /** How many documents the command line names. 0: all of them. */
  readonly named: number
  /** Present if the run generates the whole of generated/, including the package itself. */
  readonly packageName: string | undefined
  /** Whether to generate only clients. */
  readonly clientOnly?: boolean
  readonly stages: Pick<Stages, 'emitPackage'>
}

/** Assigns files to folders. Throws InvalidInput if two documents claim one folder. */
export async function planOutputs(versions: readonly Version[], options: OutputOptions): Promise<Output[]> {
  const base = resolve(options.cwd, options.out ?? options.home ?? 'generated')
  const straight = options.out !== undefined && options.named === 1
  const outputs = new Map<string, Output>()
  const specs = new Map<string, string>()
  for (const { spec, version, files, hashed, digests, makers } of versions) {
    const folder = straight ? base : join(base, version)
    const other = specs.get(folder.toLowerCase())
    if (other !== undefined) {
      throw new InvalidInput(
        `${other} and ${spec} both have the version ${version}. Change info.version of one of them.`,
      )
    }
    checkFolder(spec, version, options)
    specs.set(folder.toLowerCase(), spec)
    outputs.set(folder, {
      folder,
      label: displayPath(folder, options.cwd),
      files,
      ...(hashed && { hashed }),
      ...(digests && { digests }),
      ...(makers && { makers }),
      ...(straight && { chosen: true }),
    })
  }
  const { packageName } = options
  const isWhole = options.named === 0 && options.out === undefined
  for (const folder of isWhole ? foldersOf(base) : []) {
    const isOurs = packageName !== undefined || existsSync(join(folder, 'manifest.json'))
    if (isOurs && !outputs.has(folder))
      outputs.set(folder, { folder, label: displayPath(folder, options.cwd), files: new Map() })
  }
  if (packageName === undefined) return [...outputs.values()]
  return [...outputs.values(), await packageOutput(versions, base, packageName, options)]
}

/** A document under spec/ is found by its folder's name, so that name must be the version. */
function checkFolder(spec: string, version: string, { named }: OutputOptions): void {
  const folder = /^spec\/([^/]+)\/openapi\.(?:ya?ml|json)$/.exec(spec)?.[1]
  if (folder === undefined || folder === version || named > 0) return
  throw new InvalidInput(
    `${spec} has the version ${version}. Rename its folder to spec/${version}, or correct info.version.`,
  )
}

/** Version folders without a document, and all other entries of the folder. */
function foldersOf(base: string): string[] {
  try {
    const entries = readdirSync(base, { withFileTypes: true })
    const others = entries.filter((entry) => entry.isDirectory() && !builds.includes(entry.name))
    return others.map((entry) => join(base, entry.name))
  } catch {
    return []
  }
}

/** What builds and installs create at the top of generated/. */
const builds = ['dist', 'node_modules']

async function packageOutput(
  versions: readonly Version[],
  base: string,
  name: string,
  options: OutputOptions,
): Promise<Output> {
  const list = versions.map(({ version, title, basePath, rpcPath }) => ({
    version,
    title,
    basePath,
    rpcPath,
  }))
  const folders = foldersOf(base).map((folder) => displayPath(folder, base))
  return {
    folder: base,
    label: displayPath(base, options.cwd),
    files: new Map(await options.stages.emitPackage(list, name, { clientOnly: options.clientOnly === true })),
    ignored: [...builds, ...folders, ...list.map(({ version }) => version)],
    shared: true,
    ...(isGeneratedPackage(base) && { owned: true }),
  }
}
