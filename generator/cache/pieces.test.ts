import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { emit } from '../emit/emit.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { type Pieces, StoredPieces } from './pieces.js'
import { openStore } from './store.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-pieces-'))
  mkdirSync(join(cwd, 'node_modules'))
})

afterEach(() => rmSync(cwd, { recursive: true }))

function stored(): StoredPieces {
  const store = openStore(cwd)
  if (store === undefined) throw new Error('There is no store')
  return new StoredPieces(store, 'build', 'openapi.json')
}

function emitted(document: object, pieces?: Pieces): Promise<Map<string, string>> {
  writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(document))
  const loaded = loadDocument('openapi.json', { cwd })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error(JSON.stringify(loaded.diagnostics))
  return emit(model, loaded.files, 'openapi.json', pieces && { pieces })
}

interface Draft {
  readonly openapi: string
  readonly info: object
  readonly paths: { readonly '/items': { readonly post: object; get?: object } }
  readonly components: {
    readonly schemas: {
      readonly Item: {
        readonly type: string
        readonly properties: {
          name?: { readonly type: string; readonly pattern: string; description?: string }
        } & Record<string, object>
        patternProperties?: object
      }
      readonly Size: { readonly type: string; readonly multipleOf: number; default?: number }
      readonly Named: object
      readonly Closed: object
    }
  }
}

/** A document with all kinds of dependencies between types and validators. */
const base = (): Draft => ({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/items': {
      post: {
        'x-rpc-method': 'items.add',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } },
        responses: { 200: { description: 'Done', content: { 'application/json': { schema: item } } } },
      },
    },
  },
  components: {
    schemas: {
      Item: {
        type: 'object',
        properties: {
          name: { type: 'string', pattern: '^a' },
          next: item,
          size: { $ref: '#/components/schemas/Size' },
        },
      },
      Size: { type: 'integer', multipleOf: 2, default: 4 },
      Named: { allOf: [item, { required: ['name'] }] },
      Closed: { $ref: '#/components/schemas/Item', unevaluatedProperties: false },
    },
  },
})
const item = { $ref: '#/components/schemas/Item' }

const changes: Record<string, (document: Draft) => void> = {
  'a property of a component': ({ components }) => {
    components.schemas.Item.properties.colour = { enum: ['red'] }
  },
  'a property that another type requires': ({ components }) => {
    delete components.schemas.Item.properties.name
  },
  'a default of a property': ({ components }) => {
    delete components.schemas.Size.default
  },
  'a description': ({ components }) => {
    const { name } = components.schemas.Item.properties
    if (name !== undefined) name.description = 'What it is called.'
  },
  'a name that objects inherit': ({ components }) => {
    Object.assign(components.schemas.Item.properties, { constructor: { type: 'string' } })
  },
  'what is evaluated': ({ components }) => {
    components.schemas.Item.patternProperties = { '^x-': {} }
    components.schemas.Item.properties.other = { $ref: '#/components/schemas/Closed' }
  },
  'an operation': ({ paths }) => {
    paths['/items'].get = { responses: { 200: { description: 'All' } } }
  },
}

describe('with the pieces of an earlier run', () => {
  it.each(Object.keys(changes))('%s changes what it changes without them', async (name) => {
    const first = stored()
    await emitted(base(), first)
    first.save()
    const document = base()
    changes[name]?.(document)
    const second = stored()
    const made = await emitted(document, second)
    expect(made).toEqual(await emitted(document))
    second.save()
    expect(await emitted(base(), stored())).toEqual(await emitted(base()))
  })

  it('the billing document is the same, whether they are kept or not', async () => {
    const first = stored()
    const fresh = await emitted(billing, first)
    first.save()
    expect(await emitted(billing, stored())).toEqual(fresh)
    expect(fresh).toEqual(await emitted(billing))
  })
})

interface Operation {
  parameters?: object[]
  description?: string
  security?: object[]
}

interface Component {
  type?: string
  description?: string
  properties?: Record<string, Record<string, unknown>>
  required?: string[]
}

interface Billing {
  info: { title: string }
  security?: object[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Component> }
}

const billing: Billing = parse(readFileSync(resolve('spec/1.0.0/openapi.yaml'), 'utf8'))

const operationsOf = (draft: Billing) =>
  Object.values(draft.paths).flatMap((item) =>
    ['get', 'post', 'put', 'patch', 'delete'].flatMap((verb) => item[verb] ?? []),
  )

const objectsOf = (draft: Billing) =>
  Object.values(draft.components.schemas).filter((schema) => schema.properties !== undefined)

const nth = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length]

/** Edits by name. Each takes a number that selects the part to edit. */
const edits: Record<string, (draft: Billing, number: number) => void> = {
  'a parameter more': (draft, number) => {
    const operation = nth(operationsOf(draft), number)
    const parameter = { name: `added${number}`, in: 'query', schema: { type: 'integer', minimum: number } }
    if (operation !== undefined) operation.parameters = [...(operation.parameters ?? []), parameter]
  },
  'another description of an operation': (draft, number) => {
    Object.assign(nth(operationsOf(draft), number) ?? {}, { description: `Changed ${number}.` })
  },
  'no security of an operation': (draft, number) => {
    Object.assign(nth(operationsOf(draft), number) ?? {}, { security: [] })
  },
  'an operation less': (draft, number) => {
    const path = nth(Object.keys(draft.paths), number)
    if (path !== undefined && Object.keys(draft.paths).length > 3) delete draft.paths[path]
  },
  'a property more of a component': (draft, number) => {
    Object.assign(nth(objectsOf(draft), number)?.properties ?? {}, {
      [`added${number}`]: { type: 'string', pattern: `^a{${number}}$`, default: 'a'.repeat(number) },
    })
  },
  'a required property that callers do not send': (draft, number) => {
    const component = nth(objectsOf(draft), number)
    const [name] = Object.keys(component?.properties ?? {})
    const property = component?.properties?.[name ?? '']
    if (property === undefined || '$ref' in property || name === undefined) return
    property.readOnly = true
    Object.assign(component ?? {}, { required: [...new Set([...(component?.required ?? []), name])] })
  },
  'another description of a component': (draft, number) => {
    Object.assign(nth(objectsOf(draft), number) ?? {}, { description: `Changed ${number}.` })
  },
  'another title': (draft, number) => {
    draft.info.title = `Title ${number}`
  },
}

it('a series of edits gives the same bytes with the cache as without', {
  tags: 'long',
}, async () => {
  const edit = fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat({ max: 60 }))
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (chosen) => {
      const draft = structuredClone(billing)
      for (const [name, number] of chosen) edits[name]?.(draft, number)
      const pieces = stored()
      expect(await emitted(draft, pieces)).toEqual(await emitted(draft))
      pieces.save()
    }),
    { numRuns: 12 },
  )
})

it('a small change writes little, and unused pieces are removed in time', () => {
  const write = (texts: readonly string[]) => {
    const pieces = stored()
    for (const text of texts) if (pieces.get(text) === undefined) pieces.set(text.repeat(1_000), text)
    pieces.save()
  }
  const sizes = () => {
    const cache = join(cwd, 'node_modules/.cache/duet')
    const names = readdirSync(cache)
    return names.map((name) => statSync(join(cache, name)).size).sort((a, b) => b - a)
  }
  write(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const [whole = 0] = sizes()
  write(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'x'])
  expect(sizes()[0]).toBe(whole)
  expect(sizes()[1]).toBeLessThan(whole / 4)
  write(['x', 'y', 'z'])
  expect(sizes()[0]).toBeLessThan(whole / 2)
  expect(stored().get('a')).toBeUndefined()
  expect(stored().get('x')).toBe('x'.repeat(1_000))
})

it('drops unused pieces', () => {
  const size = () => {
    const folder = join(cwd, 'node_modules/.cache/duet')
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  }
  const save = (text: string) => {
    const pieces = stored()
    pieces.get('kept')
    pieces.set(text, text)
    pieces.save()
    return size()
  }
  const before = save('a'.repeat(1000))
  expect(save('b'.repeat(1000))).toBe(before)
})

it('returns any text as it was', () => {
  const texts = ['', 'ünï\u{1f600}\ud800 \\u00e9', '\u007f\u0080\u2028\n"']
  const pieces = stored()
  for (const [index, text] of texts.entries()) pieces.set(text, 'text', `${index}`)
  pieces.save()
  expect(texts.map((_, index) => stored().get('text', `${index}`))).toEqual(texts)
})

it('ignores a file of another format', () => {
  const pieces = stored()
  pieces.set('x', 'key')
  pieces.save()
  const [name = ''] = readdirSync(join(cwd, 'node_modules/.cache/duet'))
  for (const text of ['[]', '"x"', 'not JSON']) {
    openStore(cwd)?.write(name, text)
    expect(stored().get('key')).toBeUndefined()
  }
})
