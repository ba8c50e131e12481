import type { Comparison } from '../change/change.js'

/** The reference of one version. */
export interface Reference {
  readonly index: string
  /** The address of an operation, if the reference has it. */
  readonly operation: (name: string) => string | undefined
}

/** The references of both versions, where they have one. */
export interface References {
  readonly old?: Reference | undefined
  readonly new?: Reference | undefined
}

/** A link to an operation in the reference of one version. */
export interface ReferenceLink {
  readonly version: string
  readonly href: string
}

/** Links to an operation in both references, by the name that the newest version with it has. */
export function referenceLinks(
  name: string,
  { old, new: fresh }: References,
  { pairs }: Pick<Comparison, 'pairs'>,
  versions: { readonly old: string; readonly new: string },
): ReferenceLink[] {
  const before = pairs.find((pair) => pair.new === name)?.old ?? name
  const links = [
    { version: versions.old, href: old?.operation(before) },
    { version: versions.new, href: fresh?.operation(name) },
  ]
  return links.flatMap(({ version, href }) => (href === undefined ? [] : [{ version, href }]))
}
