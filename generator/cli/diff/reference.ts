import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type Side, titleOf } from '../../diff/change/side.js'
import type { Reference, References } from '../../diff/report/references.js'
import { findConfig } from '../../project/config.js'
import { UsageError } from '../../project/usage-error.js'
import { generatedDocument, untitled } from '../shared/naming.js'

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
    if (url === undefined) return await generated(side, cwd, out)
    const base = url.replaceAll('{version}', encodeURIComponent(side.version)).replace(/\/?$/, '/')
    return await referenceAt(base, side)
  }
}

/** The references of both versions of a review. */
export async function referencesOf(of: ReferenceOf, old: Side, fresh: Side): Promise<References> {
  return { old: await of(old), new: await of(fresh) }
}

/**
 * The generated reference of a document, with addresses relative to a page. Undefined if the version was generated from
 * the document of another API.
 */
async function generated(side: Side, cwd: string, out: string | undefined): Promise<Reference | undefined> {
  const { version } = side
  // A version of a document may be any text, such as one that leads out of the folder.
  if (!/^[\w+-][\w.+-]*$/.test(version)) return undefined
  const root = join(resolve(cwd, findConfig(cwd)?.out ?? 'generated'), version)
  const folder = join(root, 'reference')
  const document = generatedDocument(root)
  if (document?.title !== (titleOf(side) || untitled) || document.version !== version) return undefined
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const from = out === undefined ? cwd : dirname(resolve(cwd, out))
  const base = `${relative(from, folder).split(sep).map(encodeURIComponent).join('/')}/`
  // A document that was edited since may have operations that the reference does not know.
  return await referenceAt(base, side, (address) =>
    existsSync(join(folder, decodeURIComponent(address.split('#')[0] ?? ''))),
  )
}

async function referenceAt(
  base: string,
  { model }: Side,
  isThere: (address: string) => boolean = () => true,
): Promise<Reference> {
  const { addressesOf } = await import('../../reference/address.js')
  const index = `${base}index.html`
  if (model === undefined) return { index, operation: () => undefined }
  const addresses = addressesOf(model.operations)
  const known = new Map(model.operations.map((operation) => [operation.name, operation]))
  return {
    index,
    operation: (name) => {
      const operation = known.get(name)
      const address = operation && addresses.operation(operation)
      return address !== undefined && isThere(address) ? base + address : undefined
    },
  }
}
