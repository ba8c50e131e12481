import { expect, test } from 'vitest'
import { decodeBinaries, encodeBinaries } from './binaries.js'
import type { BinaryGraph } from './operation.js'

const graph: BinaryGraph = [
  { properties: { pair: 1 }, patterns: { '^file_': 2 } },
  { prefix: [3, 2] },
  { binary: true },
  {},
]

test('converts files of tuples and patterns both ways, and keeps other texts', async () => {
  const written = { pair: ['aGk=', 'aGk='], file_a: 'aGk=', name: 'aGk=' }
  const read = decodeBinaries(written, graph) as { pair: unknown[]; file_a: unknown; name: unknown }
  expect(read.pair[0]).toBe('aGk=')
  expect(read.pair[1]).toBeInstanceOf(Blob)
  expect(read.file_a).toBeInstanceOf(Blob)
  expect(read.name).toBe('aGk=')
  expect(await encodeBinaries(read, graph)).toEqual(written)
})

test('visits a member that matches several patterns once per node, at any depth', () => {
  const patterns = { '^a': 0, a$: 1 }
  const twofold: BinaryGraph = [{ patterns }, { patterns, properties: { file: 2 } }, { binary: true }]
  let reads = 0
  const file = () => {
    reads++
    return 'no base64'
  }
  let value: unknown = Object.defineProperty({}, 'file', { enumerable: true, get: file })
  for (let i = 0; i < 16; i++) value = { a: value }
  decodeBinaries(value, twofold)
  expect(reads).toBeLessThan(100)
})
