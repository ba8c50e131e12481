import { namedDeclarations, renameModules, specifierFrom } from './imports.js'
import { importedName } from './interface-type.js'
import { isSource, type Scene } from './scene.js'

/** Brings every import of the generated package to the version. */
export function followVersion({ workspace, api, record }: Scene): void {
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

/** Says which files import another version of the generated package than theirs. */
export function checkVersions({ workspace, api, wanted, findings }: Scene): void {
  for (const path of workspace.paths.filter(isSource)) {
    const own = specifierFrom(path, api)
    for (const { module, specifiers } of namedDeclarations(workspace.source(path))) {
      if (!isOtherVersion(module, own)) continue
      if (!specifiers.some((specifier) => wanted.exports.has(importedName(specifier)))) continue
      findings.left.push({ file: path, reason: `it imports ${module}: import ${own} in its place` })
    }
  }
}

/** Tells the generated package, in whichever version, from other modules. */
export function isApi({ api, record }: Pick<Scene, 'api' | 'record'>): (module: string) => boolean {
  const base = (path: string) => path.replace(/^(?:\.\.?\/)+/, '')
  const before = record === undefined ? [] : [record.api, ...record.behind.values()]
  const paths = new Set([base(api), ...before.map(base)])
  if (api.startsWith('.')) return (module) => module.startsWith('.') && paths.has(base(module))
  const versions = versionsOf(api)
  return (module) => module === api || before.includes(module) || versions.exec(module)?.[1] === ''
}

/** Every version of the package that a module belongs to, `/client` after it or not. */
function versionsOf(api: string): RegExp {
  return new RegExp(`^${escaped(api.slice(0, api.lastIndexOf('/')))}/\\d+\\.\\d+[^/]*(/client|)$`)
}

/** `../api/1.0.0/index.js` beside `../api/1.1.0/index.js`: one part differs, and both have a number in it. */
function isOtherVersion(module: string, own: string): boolean {
  const [parts, others] = [module.split('/'), own.split('/')]
  const differing = parts.flatMap((part, index) => (part === others[index] ? [] : [index]))
  const [index] = differing
  if (parts.length !== others.length || index === undefined || differing.length > 1) return false
  return /\d/.test(parts[index] ?? '') && /\d/.test(others[index] ?? '')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
