import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite, type PGliteOptions } from '../node_modules/@electric-sql/pglite/dist/index.js'

export * from '../node_modules/@electric-sql/pglite/dist/index.js'

// Reads and compiles the WebAssembly of PGlite once for all databases of this process, which halves their start. Small
// buffers halve it again: the kernel clears each of their pages.
const create = PGlite.create.bind(PGlite)
PGlite.create = (async ({ startParams = PGlite.defaultStartParams, ...options }: PGliteOptions) =>
  create({
    ...(await compiled()),
    ...options,
    startParams: [...startParams, '-c', 'shared_buffers=2MB'],
  })) as typeof PGlite.create

function compiled(): Promise<Parts> {
  parts ??= read()
  return parts
}

let parts: Promise<Parts> | undefined
type Parts = Pick<PGliteOptions, 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle'>

async function read(): Promise<Parts> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const module = async (name: string) => WebAssembly.compile(await readFile(join(folder, name)))
  return {
    pgliteWasmModule: await module('pglite.wasm'),
    initdbWasmModule: await module('initdb.wasm'),
    fsBundle: new Blob([await readFile(join(folder, 'pglite.data'))]),
  }
}
