import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fencesOf } from '../../test/fences.js'
import { runs } from '../../test/runs.js'
import { generate, loadValidators, reversedObject } from '../../test/scenarios/scenario.js'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = readdirSync(join(root, 'test/scenarios')).filter((name) => name.endsWith('.md'))
const documents = new Map(
  pages.map((name) => {
    const page = readFileSync(join(root, 'test/scenarios', name), 'utf8')
    return [name.replace('.md', ''), fencesOf(page)[0]?.text ?? '']
  }),
)
const outputs = new Map<string, ReadonlyMap<string, string>>()

beforeAll(async () => {
  for (const [name, yaml] of documents) {
    const { files } = await generate(yaml)
    if (files.size > 0) outputs.set(name, files)
  }
})

describe('the files of every scenario', () => {
  it('are there for all but the documents with errors', () => {
    expect(documents.size - outputs.size).toBe(5)
  })

  it('are JSON if their name says so', () => {
    for (const files of outputs.values()) {
      for (const [path, text] of files) if (path.endsWith('.json')) JSON.parse(text)
    }
  })

  it('name the operationId of each operation, and so does the manifest', () => {
    const files = outputs.get('names-of-operation-ids') ?? new Map()
    const naming = [...files].filter(([, text]) => text.includes('orders.cancel'))
    expect(naming.filter(([, text]) => !text.includes('cancelOrder')).map(([path]) => path)).toEqual([])
    expect(naming.map(([path]) => path)).toContain('operations.ts')
    expect(JSON.parse(files.get('manifest.json') ?? '').naming).toMatchObject({
      strategy: 'operationId',
      operations: [{}, {}, {}, {}, { name: 'orders.cancel', method: 'POST', operationId: 'cancelOrder' }],
    })
  })

  it('have the digits that the document writes in openapi.json, though a double does not hold them', async () => {
    const schema = '{ type: integer, enum: [9007199254740993], default: 9007199254740993 }'
    const { files } = await generate(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /a:
    get:
      operationId: a.get
      parameters: [{ name: id, in: query, schema: ${schema} }]
      responses: { 204: { description: Fine } }
`)
    expect(files.get('openapi.json')?.match(/\d{16}/g)).toEqual(['9007199254740993', '9007199254740993'])
  })

  it('name the operationId in openrpc.json even if it is the name', () => {
    const { methods } = JSON.parse(outputs.get('rpc-false')?.get('openrpc.json') ?? '')
    for (const { name, ...method } of methods) expect(method).toHaveProperty('x-operation-id', name)
  })

  it('have validators that Node loads as modules', () => {
    const modules = [...outputs].map(([name, files]) => [name, files.get('validators.js') ?? ''])
    const compileAll =
      "const texts = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));" +
      "for (const [identifier, text] of texts) new (require('node:vm').SourceTextModule)(text, { identifier })"
    const options = { input: JSON.stringify(modules), encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '-e', compileAll],
      options,
    )
    expect(status, stderr).toBe(0)
  })

  it('call require nowhere', () => {
    for (const files of outputs.values()) {
      const code = (files.get('validators.js') ?? '').replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
      expect(code).not.toMatch(/\brequire\s*\(|\beval\b|new Function/)
    }
  })

  it('are the same bytes whatever the order of the document’s keys', { tags: 'long' }, async () => {
    for (const [name, files] of outputs) {
      const document = {
        info: { title: 'Scenario', version: '1.0.0' },
        openapi: '3.1.0',
        ...parsed(documents.get(name)),
      }
      const shuffled = await generate(reversedObject(document))
      for (const [path, text] of files) {
        // Pages keep the document's order, for readers. The manifest has their hashes.
        const isPage = path.startsWith('reference/') && path !== 'reference/data.js'
        if (!isPage && path !== 'manifest.json')
          expect(shuffled.files.get(path), `${name}/${path}`).toBe(text)
      }
    }
  })

  it('list the hash of each other in the manifest', () => {
    for (const files of outputs.values()) {
      const manifest = JSON.parse(files.get('manifest.json') ?? '{}')
      const paths = [...files.keys()].filter((path) => path !== 'manifest.json').sort()
      expect(manifest.outputs.map((output: { path: string }) => output.path)).toEqual(paths)
    }
  })
})

describe('strict TypeScript', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-emitted-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('finds no error in the output', { tags: 'long' }, () => compile('typescript7'))
  it('finds no error in the output under 5.9', { tags: 'long' }, () => compile('typescript'))

  function compile(compiler: string): void {
    for (const [name, files] of outputs) {
      mkdirSync(join(folder, name), { recursive: true })
      for (const [path, text] of files) writeFileSync(join(folder, name, path), text)
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig(folder)))
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  }
})

describe('validators', () => {
  it('agree with AJV on random schemas and values', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(
        schemas,
        fc.array(values, { minLength: 5, maxLength: 20 }),
        async (schema, samples) => {
          const { files, diagnostics } = await generate(documentWith(schema))
          expect(diagnostics).toEqual([])
          const validators = loadValidators(files.get('validators.js') ?? '')
          const reference = new Ajv2020({
            allErrors: true,
            strict: false,
            ownProperties: true,
            logger: false,
          }).compile(schema)
          for (const sample of samples) {
            const theirs = answerOf(reference, sample)
            if (theirs === undefined) continue
            const ours = validators['a.get']?.result(sample)
            expect(ours, `${JSON.stringify(schema)} on ${JSON.stringify(sample)}`).toBe(theirs)
          }
        },
      ),
      { numRuns: runs(10, 60) },
    )
  })

  it('are made for a thousand schemas that refer to each other in a row', { tags: 'long' }, () =>
    makeThousand(999),
  )
  it('are made for a thousand schemas that refer to each other in a ring', { tags: 'long' }, () =>
    makeThousand(1000),
  )

  async function makeThousand(links: number): Promise<void> {
    const schemas = Array.from({ length: 1000 }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${(index + 1) % 1000}` }
      return [`S${index}`, { type: 'object', properties: index < links ? { next } : {} }] as const
    })
    const document = documentWith({ $ref: '#/components/schemas/S0' })
    const { files } = await generate({ ...document, components: { schemas: objectOf(schemas) } })
    const validate = loadValidators(files.get('validators.js') ?? '')['a.get']?.result
    expect(validate?.({ next: { next: {} } })).toBe(true)
    expect(validate?.({ next: { next: 1 } })).toBe(false)
  }

  it('leave out a keyword whose value has another type', async () => {
    const { files } = await generate(documentWith({ minLength: '1' }))
    expect(files.get('validators.js')).not.toContain('minLength')
  })
})

// A scenario covers `__proto__`, because AJV ignores it.
const names = fc.constantFrom('a', 'b', 'constructor', 'toString', 'x-y')
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, false, 0, 1, 2, 6, -1, 1.5, '', 'a', 'ab', 'abc', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map(objectOf),
  ),
})).value

const schemas = fc
  .letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.record<Record<string, Json>>(
        {
          type: fc.constantFrom<Json>('object', 'string', 'integer', 'array', ['string', 'null'], 'number'),
          minimum: fc.integer({ min: -2, max: 2 }),
          multipleOf: fc.integer({ min: 1, max: 3 }),
          maxLength: fc.integer({ min: 0, max: 3 }),
          pattern: fc.constantFrom('^a', 'b$', '^[^c]*$'),
          enum: fc.array(values, { minLength: 1, maxLength: 3 }),
          uniqueItems: fc.boolean(),
          minItems: fc.integer({ min: 0, max: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.record<Record<string, Json>>(
        {
          properties: fc.array(fc.tuple(names, tie('schema')), { maxLength: 3 }).map(objectOf),
          required: fc.uniqueArray(names, { maxLength: 2 }),
          additionalProperties: tie('schema'),
          patternProperties: tie('schema').map((schema) => ({ '^x': schema })),
          propertyNames: tie('schema'),
          maxProperties: fc.integer({ min: 0, max: 2 }),
          items: tie('schema'),
          contains: tie('schema'),
          prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.record<Record<string, Json>>(
        {
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
          if: tie('schema'),
          // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
          then: tie('schema'),
          unevaluatedProperties: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    ),
  }))
  .schema.map((schema) => (isObject(schema) ? schema : { allOf: [schema] }))

/**
 * AJV's verdict. Undefined if AJV throws: its record of unevaluated items may refer to a variable of an inner
 * block, and its comparison calls `toString` of every value.
 */
function answerOf(validate: (value: Json) => unknown, value: Json): boolean | undefined {
  try {
    return validate(value) === true
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof TypeError) return undefined
    throw error
  }
}

function documentWith(schema: Json): JsonObject {
  const content = { 'application/json': { schema } }
  const get = { 'x-rpc-method': 'a.get', responses: { 200: { description: 'ok', content } } }
  return { openapi: '3.1.0', info: { title: 'Random', version: '1.0.0' }, paths: { '/a': { get } } }
}

function parsed(yaml: string | undefined): Record<string, Json> {
  // The document's reader treats `__proto__` as any other key, and so must this one.
  return parse(yaml ?? '', { mapAsMap: false, merge: true }) as Record<string, Json>
}

function tsconfig(folder: string): object {
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      composite: false,
      rootDir: '/',
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        'duet-runtime': [join(root, 'runtime/index.ts')],
        'duet-runtime/client': [join(root, 'runtime/client.ts')],
        'duet-runtime/schema': [join(root, 'runtime/schema.ts')],
      },
    },
    include: [join(folder, '*/*.ts')],
  }
}
