import type { Schema } from '../../schema/schema.js'
import type { Passage } from '../passage.js'

/** The only branch of objects of a union, and the others, which are texts, numbers and booleans. Undefined: it has others. */
export function partedBranches(
  passage: Passage,
  branches: readonly Schema[],
): { readonly object: Schema; readonly scalars: readonly Schema[] } | undefined {
  const typesOf = (schema: Schema): readonly string[] => [...(passage.typesOf(schema) ?? ['any'])]
  const [object, ...others] = branches.filter((one) => typesOf(one).join() === 'object')
  const scalars = branches.filter((one) => typesOf(one).every((type) => isScalar.has(type)))
  if (object === undefined || others.length > 0 || scalars.length !== branches.length - 1) return undefined
  return { object, scalars }
}

const isScalar: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])
