import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Side } from '../../diff/change/side.js'
import type { Reference, References } from '../../diff/report/references.js'
import { findConfig } from '../../project/config.js'
import { UsageError } from '../../project/usage-error.js'

/** The option of commands whose pages link to references. */
export const referenceOption = [
  '--reference <url>',
  'where references are: https://api.example.com/{version}/reference/ (default: the generated ones)',
] as const

/**
 * The reference of a version for links from a page: below the given address, else among the generated versions of the
 * project. Undefined if there is none.
 */
export type ReferenceOf = (side: Side) => Promise<Reference | undefined>

/**
 * @param url with `{version}`; undefined: as the project has them
 * @param out the page's file; undefined: in the project's folder
 * @throws UsageError if the address has no version or is not one of the web
 */
export function referencesIn(cwd: string, url: string | undefined, out: string | undefined): ReferenceOf {
  if (url !== undefined && !url.includes('{version}'))
    throw new UsageError('--reference needs {version}: https://api.example.com/{version}/reference/')
  if (url !== undefined && /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^https?:\/\//i.test(url))
    throw new UsageError('--reference is an address of the web (https://…) or relative to the page.')
  return async (side) => {
    const base =
      url === undefined
        ? generated(side.version, cwd, out)
        : url.replaceAll('{version}', encodeURIComponent(side.version)).replace(/\/?$/, '/')
    return base === undefined ? undefined : await referenceAt(base, side)
  }
}

/** The references of both versions of a review. */
export async function referencesOf(of: ReferenceOf, old: Side, fresh: Side): Promise<References> {
  return { old: await of(old), new: await of(fresh) }
}

/** The address of a generated reference, relative to a page. */
function generated(version: string, cwd: string, out: string | undefined): string | undefined {
  // A version of a document may be any text, such as one that leads out of the folder.
  if (!/^[\w+-][\w.+-]*$/.test(version)) return undefined
  const folder = join(resolve(cwd, findConfig(cwd)?.out ?? 'generated'), version, 'reference')
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const from = out === undefined ? cwd : dirname(resolve(cwd, out))
  return `${relative(from, folder).split(sep).map(encodeURIComponent).join('/')}/`
}

async function referenceAt(base: string, { model }: Side): Promise<Reference> {
  const { addressesOf } = await import('../../reference/address.js')
  const index = `${base}index.html`
  if (model === undefined) return { index, operation: () => undefined }
  const addresses = addressesOf(model.operations)
  const known = new Map(model.operations.map((operation) => [operation.name, operation]))
  return {
    index,
    operation: (name) => {
      const operation = known.get(name)
      return operation && base + addresses.operation(operation)
    },
  }
}
