import type { Contract } from 'duet-runtime'
import { readEvents, readValues } from 'duet-runtime/client'

/**
 * Whether a result is the text of a stream that clients read no piece from, although it is not empty: text that is
 * neither events nor JSON lines.
 */
export async function losesPieces(
  { operations }: Pick<Contract, 'operations'>,
  name: string,
  result: unknown,
): Promise<boolean> {
  const kinds = (operations[name]?.rest.answers ?? []).map(({ kind }) => kind)
  const isStream = kinds.length > 0 && kinds.every((kind) => kind === 'events' || kind === 'lines')
  if (!isStream || typeof result !== 'string' || result === '') return false
  const read = kinds.includes('events') ? readEvents : readValues
  try {
    for await (const _ of read(new Blob([result]).stream())) return false
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}
