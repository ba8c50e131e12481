import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

type Node = { readonly [key: string]: unknown }

const readme = readFileSync('spec/README.md', 'utf8')

/** Oldest first. Each section lists the assumptions that its version adds to the previous one. */
const versions = ['1.0.0', '1.1.0', '2.0.0-rc.1']
const documents = new Map(
  versions.map((version) => [version, parse(readFileSync(`spec/${version}/openapi.yaml`, 'utf8')) as Node]),
)
const cases = versions.map((version, index) => ({ version, earlier: versions.slice(0, index) }))

describe.each(cases)('spec/README.md lists what $version assumes', ({ version, earlier }) => {
  const assumed = assumptionsOf(version)
  const listed = rowsOf(version)
  const known = merged([...earlier, version].map(rowsOf))

  const items = [...assumed].map(([pointer, { keywords }]) => [pointer, keywords] as const)
  test.each(items)('%s: %s', (pointer, keywords) => {
    expect(coveringEntry(pointer, keywords), `${pointer} is not in spec/README.md`).toBeDefined()
  })

  const rows = [...listed].map(([pointer, keywords]) => [pointer, [...keywords]] as const)
  test.each(rows)('%s is still assumed: %s', (pointer, keywords) => {
    const names = [...below(assumed, pointer).values()].flatMap((item) => item.keywords)
    expect(names).toEqual(expect.arrayContaining([...keywords]))
  })

  test('lists nothing that the previous version assumes too', () => {
    const before = earlier.at(-1)
    const old: ReadonlyMap<string, Assumption> = before === undefined ? new Map() : assumptionsOf(before)
    const repeated = [...listed.keys()].filter((pointer) =>
      [...below(assumed, pointer)].every(([at, { text }]) => old.get(at)?.text === text),
    )
    expect(repeated).toEqual([])
  })

  /** The row of the pointer itself, or of an ancestor that is assumed as a whole. */
  function coveringEntry(pointer: string, keywords: readonly string[]): string | undefined {
    for (let at = pointer; at !== '#'; at = at.slice(0, at.lastIndexOf('/'))) {
      const row = known.get(at)
      if (row?.has('all') || (row && keywords.every((keyword) => row.has(keyword)))) return at
    }
    return undefined
  }
})

interface Assumption {
  /** `all`, or the assumed keywords of an item. */
  readonly keywords: readonly string[]
  readonly text: string
}

function assumptionsOf(version: string): ReadonlyMap<string, Assumption> {
  const assumed = new Map<string, Assumption>()
  const collect = (node: unknown, pointer: string): void => {
    if (node === null || typeof node !== 'object') return
    const item = node as Node
    const keywords = item['x-provenance'] === 'assumed' ? ['all'] : Object.keys(item['x-assumed'] ?? {})
    if (keywords.length > 0) assumed.set(pointer, { keywords, text: JSON.stringify(item) })
    for (const [key, child] of Object.entries(item)) {
      if (key === 'x-assumed') continue
      const segment = pointer.endsWith('/parameters') && Array.isArray(node) ? parameterName(child, key) : key
      collect(child, `${pointer}/${escapeSegment(segment)}`)
    }
  }
  collect(documents.get(version), '#')
  return assumed
}

type Rows = ReadonlyMap<string, ReadonlySet<string>>

function rowsOf(version: string): Rows {
  const [, section = ''] = readme.split(`\n## What ${version} assumes`)
  const rows = section.split('\n## ')[0]?.matchAll(/^\| `(#[^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm) ?? []
  return new Map([...rows].map(([, pointer = '', keywords = '']) => [pointer, new Set(keywords.split(', '))]))
}

function merged(sections: readonly Rows[]): Rows {
  const all = new Map<string, Set<string>>()
  for (const [pointer, keywords] of sections.flatMap((rows) => [...rows]))
    all.set(pointer, new Set([...(all.get(pointer) ?? []), ...keywords]))
  return all
}

function below(assumed: ReadonlyMap<string, Assumption>, pointer: string): ReadonlyMap<string, Assumption> {
  return new Map([...assumed].filter(([at]) => at === pointer || at.startsWith(`${pointer}/`)))
}

// Parameters are listed by name, since their index has no meaning.
function parameterName(parameter: unknown, index: string): string {
  return String((parameter as Node).name ?? index)
}

test.each(versions)(
  'every operation, parameter and schema property of %s says where it comes from',
  (version) => {
    const places = [
      /\/paths\/[^/]+\/(get|put|post|patch|delete)$/,
      /\/parameters\/[^/]+$/,
      /\/properties\/[^/]+$/,
    ]
    const silent: string[] = []
    const visit = (node: unknown, pointer: string): void => {
      if (node === null || typeof node !== 'object') return
      const item = node as Node
      const isReference = pointer.includes('/parameters/') && '$ref' in item
      if (places.some((place) => place.test(pointer)) && !isReference && !('x-provenance' in item))
        silent.push(pointer)
      for (const [key, child] of Object.entries(item)) visit(child, `${pointer}/${escapeSegment(key)}`)
    }
    visit(documents.get(version), '#')
    expect(silent).toEqual([])
  },
)

function escapeSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
