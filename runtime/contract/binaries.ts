import { fromBase64, toBase64 } from '../values/base64.js'
import type { BinaryGraph } from './operation.js'
import { mapPositions } from './positions.js'

/** The values that a program may give for a binary. */
export type Binary = Blob | Uint8Array

export function isBinary(value: unknown): value is Binary {
  return value instanceof Blob || value instanceof Uint8Array
}

/** Replaces the values at the binary positions with the results of `convert`. Copies only what changes. */
export function mapBinaries(
  value: unknown,
  graph: BinaryGraph,
  convert: (found: unknown) => unknown,
): unknown {
  return mapPositions(value, graph, (found, node) =>
    node.binary === true && (typeof found === 'string' || isBinary(found)) ? convert(found) : found,
  )
}

/** Turns params from JSON into a handler's: each base64 text at a binary position becomes a Blob. */
export function decodeBinaries(params: unknown, graph: BinaryGraph): unknown {
  return mapBinaries(params, graph, (found) => {
    if (typeof found !== 'string') return blobOf(found)
    const bytes = fromBase64(found)
    // Invalid base64 stays text; the validator then reports that a file is expected.
    return bytes === undefined ? found : new Blob([bytes])
  })
}

/** Turns params into JSON: each binary becomes base64 text. */
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

/** Bytes become a Blob; any other value stays. */
export function blobOf(value: unknown, type = ''): unknown {
  return value instanceof Uint8Array ? new Blob([new Uint8Array(value)], { type }) : value
}
