import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

type Node = { readonly [key: string]: unknown }

const versions = ['1.0.0']
const readme = readFileSync('spec/README.md', 'utf8')

describe.each(versions)('spec/README.md lists what %s assumes', (version) => {
  const document = parse(readFileSync(`spec/${version}/openapi.yaml`, 'utf8')) as Node
  const assumed = new Map<string, string>()
  collect(document, '#')
  const listed = new Map(
    [...readme.matchAll(/^\| `(#[^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map((row) => [row[1], row[2]?.trim()]),
  )

  test.each([...assumed])('%s: %s', (pointer, keywords) => {
    expect(coveringEntry(pointer, keywords), `${pointer} is not in spec/README.md`).toBeDefined()
  })

  test.each([...listed])('%s is still assumed: %s', (pointer, keywords) => {
    const found = [...assumed].filter(([at]) => at === pointer || at.startsWith(`${pointer}/`))
    const names = found.flatMap(([, names]) => names.split(', '))
    expect(names).toEqual(expect.arrayContaining((keywords ?? '').split(', ')))
  })

  /** The row of the pointer itself or, for an item assumed whole, of something that holds it. */
  function coveringEntry(pointer: string, keywords: string): string | undefined {
    for (let at = pointer; at !== '#'; at = at.slice(0, at.lastIndexOf('/'))) {
      const row = listed.get(at)
      if (row === 'all') return at
      if (row && keywords.split(', ').every((keyword) => row.split(', ').includes(keyword))) return at
    }
    return undefined
  }

  function collect(node: unknown, pointer: string): void {
    if (node === null || typeof node !== 'object') return
    const item = node as Node
    if (item['x-provenance'] === 'assumed') assumed.set(pointer, 'all')
    else if (item['x-assumed']) assumed.set(pointer, Object.keys(item['x-assumed'] as Node).join(', '))
    for (const [key, child] of Object.entries(item)) {
      if (key === 'x-assumed') continue
      const segment = pointer.endsWith('/parameters') && Array.isArray(node) ? parameterName(child, key) : key
      collect(child, `${pointer}/${escapeSegment(segment)}`)
    }
  }
})

// Parameters are listed by name, since their place in the array says nothing.
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
    visit(parse(readFileSync(`spec/${version}/openapi.yaml`, 'utf8')), '#')
    expect(silent).toEqual([])
  },
)

function escapeSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
