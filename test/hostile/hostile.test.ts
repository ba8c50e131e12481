// @module-tag long

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createColors } from 'picocolors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonReport, textReport } from '../../generator/cli/shared/report.js'
import { Workshop } from './compile.js'
import { faultsOf, steers } from './inertness.js'
import { pageFaults } from './pages.js'
import { canary } from './payloads.js'
import { places } from './places.js'
import { batches, type Combination, combinations, documentOf, generated, read } from './trial.js'

// Every text of payloads.ts in every place of places.ts: a document with it is either refused with a place and a
// remedy, or what it generates is inert. A usual run takes a part of them that has each text and each place;
// `npm run test:hostile` takes all, and generates each from a document of its own as well.

const all = process.env.HOSTILE === 'all'
const wholly = ['every quote']
const chosen = combinations({ every: all ? 1 : 80, whole: wholly })
const workshop = new Workshop()
const refused: Combination[] = []
const accepted: Combination[] = []
const faults: string[] = []
let documents = 0

beforeAll(async () => {
  for (const combination of chosen) await judge(combination)
  for (const [payload, names] of byPayload(accepted)) await generateTogether(payload, names)
}, 900_000)

afterAll(() => workshop.remove())

async function judge({ payload, place }: Combination): Promise<void> {
  const label = `${payload} as ${place}`
  try {
    const found = await read(documentOf(payload, [place]), workshop.folder)
    const errors = found.diagnostics.filter(({ severity }) => severity === 'error')
    if (steers(textReport(found, 100, createColors(false), true)))
      faults.push(`${label}: steers the terminal`)
    JSON.stringify(jsonReport([found]))
    if (found.model !== undefined) {
      accepted.push({ payload, place })
      if (all) inspect(label, await generated(found))
      return
    }
    refused.push({ payload, place })
    const [first] = errors
    if (first === undefined) faults.push(`${label}: refused without a reason`)
    for (const { at, message, remedy, code } of errors) {
      const isPlaced = at.file === 'openapi.json' && at.line > 0 && at.column > 0
      if (!isPlaced || message === '' || remedy === '') faults.push(`${label}: ${code} says too little`)
    }
  } catch (error) {
    faults.push(`${label}: crashes: ${error instanceof Error ? error.stack?.slice(0, 400) : String(error)}`)
  }
}

async function generateTogether(payload: string, names: readonly string[]): Promise<void> {
  for (const batch of await batches(payload, names, workshop.folder)) {
    const label = `${payload} as ${batch.length > 3 ? `${batch.length} places` : batch.join(', ')}`
    try {
      const files = await generated(await read(documentOf(payload, batch), workshop.folder))
      inspect(label, files)
      workshop.writeAll(`src/${documents}`, files)
      documents++
    } catch (error) {
      faults.push(`${label}: crashes: ${error instanceof Error ? error.stack?.slice(0, 400) : String(error)}`)
    }
  }
}

const outputs = [
  ...['client.ts', 'express.ts', 'handlers.ts', 'index.ts', 'jsonrpc.ts', 'manifest.json', 'openapi.json'],
  ...[
    'mcp.json',
    'openrpc.json',
    'operations.ts',
    'schemas.ts',
    'types.ts',
    'validators.d.ts',
    'validators.js',
  ],
]

function inspect(label: string, files: ReadonlyMap<string, string>): void {
  const isPage = (path: string): boolean => path.startsWith('reference/')
  const strange = [...files.keys()].filter((path) => !isPage(path) && !outputs.includes(path))
  if (strange.length > 0) faults.push(`${label}: writes ${strange.join(', ')}`)
  for (const [path, text] of files)
    for (const fault of isPage(path) ? pageFaults(path, text) : faultsOf(path, text))
      faults.push(`${label}: ${path}: ${fault}`)
}

function byPayload(list: readonly Combination[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { payload, place } of list) groups.set(payload, [...(groups.get(payload) ?? []), place])
  return groups
}

describe('text that tries to become code', () => {
  it('is refused with a position and a remedy, or generates inert output', () => {
    console.log(
      `${chosen.length} documents: ${refused.length} refused, ${accepted.length} inert; ${documents} compiled`,
    )
    expect(faults.slice(0, 40)).toEqual([])
    expect(refused.length + accepted.length).toBe(chosen.length)
  })

  it.runIf(all)('gets into the output from every place that only some texts are refused in', () => {
    const reached = new Set(accepted.map(({ place }) => place))
    const never = Object.keys(places).filter((place) => !reached.has(place))
    expect(never.filter((place) => !mostlyRefused.includes(place))).toEqual([])
  })

  it('compiles under the strictest settings, and does nothing when it is imported', () => {
    expect(workshop.compile('typescript').slice(0, 4_000)).toBe('')
    const before = readdirSync(workshop.folder).sort()
    workshop.write('load.mjs', loader)
    const { status, output } = workshop.run('load.mjs')
    expect({ status, output: output.slice(0, 4_000) }).toEqual({ status: 0, output: `${documents} loaded\n` })
    expect(readdirSync(workshop.folder).sort()).toEqual([...before, 'load.mjs'].sort())
    expect(existsSync(join('/tmp', canary))).toBe(false)
  })
})

/** Imports what was built and reads its documents; says so where anything has happened besides. */
const loader = `
import { readdirSync } from 'node:fs'
const globals = Object.getOwnPropertyNames(globalThis).length
const names = readdirSync('built')
for (const name of names) {
  const { contract } = await import('./built/' + name + '/index.js')
  await import('./built/' + name + '/client.js')
  contract.openapi()
  contract.openrpc()
}
if (Object.getOwnPropertyNames(globalThis).length !== globals) throw new Error('a global was set')
if (Object.getOwnPropertyNames(Object.prototype).length !== 12) throw new Error('a prototype was changed')
console.log(names.length + ' loaded')
`

/** Places that take words of a fixed list, or what leads somewhere, alone. */
const mostlyRefused: readonly string[] = [
  'OpenAPI version',
  'path without a slash',
  'value of a mapping by reference',
  'reference of a schema',
  'reference to a component',
  'dynamic reference',
  'dialect of schemas',
  'type of a scheme',
  'requirement of a scheme',
  'error of an operation',
  'stability',
  'sunset',
  'place of a parameter',
  'style of a parameter',
  'reference',
  'reference of a path',
  'type',
  'provenance',
]
