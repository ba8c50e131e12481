import { isSource, specifierFrom } from '../code/layout.js'
import { inPattern } from '../code/literal.js'
import {
  exportedNames,
  fileOf,
  importedName,
  isUsed,
  type NamedDeclaration,
  namedDeclarations,
  renameModules,
} from './imports.js'
import type { ScaffoldRun } from './scaffold-run.js'
import { type Splice, ts, type Workspace } from './workspace.js'

/** Makes every import of the generated package name the new version. */
export function followVersion({ workspace, api, record }: ScaffoldRun): void {
  const versions = versionsOf(api)
  for (const path of workspace.paths) {
    const before = record?.behind.get(path) ?? record?.api
    const old = before === undefined ? undefined : specifierFrom(path, before)
    const splices = renameModules(workspace.source(path), (specifier) => {
      if (specifier === old) return specifierFrom(path, api)
      const match = api.startsWith('.') ? null : versions.exec(specifier)
      return match === null ? undefined : api + match[1]
    })
    workspace.edit(path, splices)
  }
}

/** Reports the files that import another version of the generated package. */
export function checkVersions({ workspace, api, wanted, findings }: ScaffoldRun): void {
  for (const path of workspace.paths.filter(isSource)) {
    const own = specifierFrom(path, api)
    for (const { module, specifiers } of namedDeclarations(workspace.source(path))) {
      if (!isOtherVersion(module, own)) continue
      if (!specifiers.some((specifier) => wanted.exports.has(importedName(specifier)))) continue
      findings.left.push({ file: path, reason: `it imports ${module}: import ${own} instead` })
    }
  }
}

/** Whether a module is the generated package, in any version. */
export function isApi({ api, record }: Pick<ScaffoldRun, 'api' | 'record'>): (module: string) => boolean {
  const base = (path: string) => path.replace(/^(?:\.\.?\/)+/, '')
  const before = record === undefined ? [] : [record.api, ...record.behind.values()]
  const paths = new Set([base(api), ...before.map(base)])
  if (api.startsWith('.')) return (module) => module.startsWith('.') && paths.has(base(module))
  const versions = versionsOf(api)
  return (module) => module === api || before.includes(module) || versions.exec(module)?.[1] === ''
}

/** Turns imported names that no longer exist into comments, and reports those that code still uses. */
export function checkImports(
  run: ScaffoldRun,
  exported: ReadonlyMap<string, ReadonlySet<string> | undefined>,
): void {
  const { workspace, wanted, record, findings } = run
  const api = isApi(run)
  const known = new Set([...(record?.interfaces.values() ?? [])])
  for (const { types } of record?.operations.values() ?? []) for (const type of types) known.add(type)
  const has: Exports = (path, module, name, reexport) => {
    if (api(module)) return wanted.exports.has(name) || (reexport && !known.has(name) ? undefined : false)
    const file = fileOf(workspace, path, module)
    if (file === undefined) return undefined
    const now = exportedNames(workspace.source(file))
    if (now === undefined || now.has(name)) return now === undefined ? undefined : true
    return exported.get(file)?.has(name) ? false : undefined
  }
  const used = new Map<string, readonly string[]>()
  // One file may export again what another one no longer has: repeat until nothing changes.
  for (let before = ''; ; ) {
    for (const path of workspace.paths) used.set(path, setAside(workspace, path, has))
    const after = [...workspace.files().values()].join('\0')
    if (after === before) break
    before = after
  }
  for (const [file, names] of used) {
    if (names.length > 0)
      findings.left.push({
        file,
        reason: `it uses ${names.join(', ')}, which ${wanted.version} does not have`,
      })
  }
}

/** Whether a module has a name that a file imports or exports again; undefined if that is not known. */
type Exports = (path: string, module: string, name: string, reexport: boolean) => boolean | undefined

/** Does so in one file. Returns the names that code still uses. */
function setAside(workspace: Workspace, path: string, has: Exports): string[] {
  const source = workspace.source(path)
  const used: string[] = []
  const splices: Splice[] = []
  for (const declaration of namedDeclarations(source)) {
    const { node, module, specifiers, row } = declaration
    const reexport = ts.isExportDeclaration(node)
    const removed = specifiers.filter((one) => has(path, module, importedName(one), reexport) === false)
    const free = removed.filter(({ name }) => reexport || !isUsed(source, name.text))
    used.push(...removed.filter((one) => !free.includes(one)).map(({ name }) => name.text))
    const whole = source.text.slice(node.getStart(source), node.end)
    if (free.length === 0) continue
    if (free.length === specifiers.length && !hasDefault(declaration) && !whole.includes('*/')) {
      splices.push({ start: node.getStart(source), end: node.end, text: `${head}${whole} */` })
      continue
    }
    for (const specifier of free) {
      const slot = row.slots[specifiers.indexOf(specifier)]
      if (slot === undefined) continue
      const mark = slot.separated ? source.text.indexOf(',', slot.code.end) + 1 : slot.code.end
      const text = source.text.slice(slot.code.start, mark)
      if (!text.includes('*/')) splices.push({ start: slot.code.start, end: mark, text: `${head}${text} */` })
    }
  }
  workspace.edit(path, splices)
  return used
}

/** Matches every version of a package, with or without `/client`. */
function versionsOf(api: string): RegExp {
  return new RegExp(`^${inPattern(api.slice(0, api.lastIndexOf('/')))}/\\d+\\.\\d+[^/]*(/client|)$`)
}

/** `../api/1.0.0/index.js` next to `../api/1.1.0/index.js`: one part differs, and both have a number in it. */
function isOtherVersion(module: string, own: string): boolean {
  const [parts, others] = [module.split('/'), own.split('/')]
  const differing = parts.flatMap((part, index) => (part === others[index] ? [] : [index]))
  const [index] = differing
  if (parts.length !== others.length || index === undefined || differing.length > 1) return false
  return /\d/.test(parts[index] ?? '') && /\d/.test(others[index] ?? '')
}

const head = '/* parked by duet: '

function hasDefault({ node }: NamedDeclaration): boolean {
  return ts.isImportDeclaration(node) && node.importClause?.name !== undefined
}
