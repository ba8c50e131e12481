import { fromBase64, toBase64 } from '../values/base64.js'
import type { BinaryGraph } from './operation.js'
import { mapPositions } from './positions.js'

/** What a program may give where a document has a binary. */
export type Binary = Blob | Uint8Array

export function isBinary(value: unknown): value is Binary {
  return value instanceof Blob || value instanceof Uint8Array
}

/**
 * Replaces what stands at the binary positions of a value by what `convert` makes of it. Copies what it
 * changes and nothing else.
 */
export function mapBinaries(
  value: unknown,
  graph: BinaryGraph,
  convert: (found: unknown) => unknown,
): unknown {
  return mapPositions(value, graph, (found, node) =>
    node.binary === true && (typeof found === 'string' || isBinary(found)) ? convert(found) : found,
  )
}

/** Params as JSON carried them, with each base64 text at a binary position as a Blob. */
export function decodeBinaries(params: unknown, graph: BinaryGraph): unknown {
  return mapBinaries(params, graph, (found) => {
    if (typeof found !== 'string') return blobOf(found)
    const bytes = fromBase64(found)
    // What is no base64 stays text, and the validator says that a file is wanted.
    return bytes === undefined ? found : new Blob([bytes])
  })
}

/** Params as JSON can carry them, each binary as base64 text. */
export async function encodeBinaries(params: unknown, graph: BinaryGraph): Promise<unknown> {
  const found: Binary[] = []
  mapBinaries(params, graph, (value) => {
    if (isBinary(value)) found.push(value)
    return value
  })
  const texts = new Map<unknown, string>()
  for (const value of found) texts.set(value, toBase64(await bytesOf(value)))
  return mapBinaries(params, graph, (value) => texts.get(value) ?? value)
}

async function bytesOf(value: Binary): Promise<Uint8Array> {
  return value instanceof Uint8Array ? value : new Uint8Array(await value.arrayBuffer())
}

/** Bytes as a Blob; everything else as it is. */
export function blobOf(value: unknown, type = ''): unknown {
  return value instanceof Uint8Array ? new Blob([new Uint8Array(value)], { type }) : value
}
