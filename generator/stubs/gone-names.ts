import { isApi } from './api-module.js'
import { fileOf } from './imports.js'
import type { Scene } from './scene.js'
import { bringBack, type Exports, exportedNames, setAside } from './set-aside.js'

/** Takes names out of imports that no module has any more, and puts those back that are there again. */
export function checkImports(
  scene: Scene,
  exported: ReadonlyMap<string, ReadonlySet<string> | undefined>,
): void {
  const { workspace, wanted, record, findings } = scene
  const api = isApi(scene)
  const known = new Set([...(record?.interfaces.values() ?? [])])
  for (const operation of [...(record?.operations.values() ?? []), ...(record?.gone.values() ?? [])])
    for (const type of operation.types) known.add(type)
  const has: Exports = (path, module, name, reexport) => {
    if (api(module)) return wanted.exports.has(name) || (reexport && !known.has(name) ? undefined : false)
    const file = fileOf(workspace, path, module)
    if (file === undefined) return undefined
    const now = exportedNames(workspace.source(file))
    if (now === undefined || now.has(name)) return now === undefined ? undefined : true
    return exported.get(file)?.has(name) ? false : undefined
  }
  for (const path of workspace.paths) bringBack(workspace, path, has)
  const used = new Map<string, readonly string[]>()
  // A name that goes from one file's exports may be what another one passes on.
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
