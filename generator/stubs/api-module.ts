import { renameModules, specifierFrom } from './imports.js'
import type { Scene } from './scene.js'

/** Brings every import of the generated package to the version. */
export function followVersion({ workspace, api, record }: Scene): void {
  const versions = versionsOf(api)
  for (const path of workspace.paths) {
    const old = record === undefined ? undefined : specifierFrom(path, record.api)
    const splices = renameModules(workspace.source(path), (specifier) => {
      if (specifier === old) return specifierFrom(path, api)
      const match = api.startsWith('.') ? null : versions.exec(specifier)
      return match === null ? undefined : api + match[1]
    })
    workspace.edit(path, splices)
  }
}

/** Tells the generated package, in whichever version, from other modules. */
export function isApi({ api, record }: Pick<Scene, 'api' | 'record'>): (module: string) => boolean {
  const base = (path: string) => path.replace(/^(?:\.\.?\/)+/, '')
  const paths = new Set([base(api), ...(record === undefined ? [] : [base(record.api)])])
  if (api.startsWith('.')) return (module) => module.startsWith('.') && paths.has(base(module))
  const versions = versionsOf(api)
  return (module) => versions.exec(module)?.[1] === ''
}

/** Every version of the package that a module belongs to, `/client` after it or not. */
function versionsOf(api: string): RegExp {
  return new RegExp(`^${escaped(api.slice(0, api.lastIndexOf('/')))}/\\d+\\.\\d+[^/]*(/client|)$`)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
