import { beforeAll, describe, expect, it } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import { type Example, examples, text, whole } from '../../test/keyword-examples.js'
import { generate, loadValidators } from '../../test/scenarios/scenario.js'
import { adaptationOf } from '../adapt/adaptation.js'
import { Attacker } from '../adapt/attack.js'
import { contains } from '../contains/contains.js'
import { compare } from '../diff/compare.js'
import { lint } from '../lint/lint.js'
import { Sampler } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'
import type { Json, JsonObject } from './document.js'
import { isCurrent, isValidated, type Keyword, type KeywordName, keywords } from './vocabulary.js'

/** Why no TypeScript type expresses a keyword. Types show the other ones, if only in a comment. */
const untyped: { readonly [name in KeywordName]?: string } = {
  not: 'TypeScript has no type of all other values',
  if: 'only conditions on the value of a property become a union',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'as of if',
  else: 'as of if',
  contains: 'the items of an array have one type',
  minContains: 'as of contains',
  maxContains: 'as of contains',
  propertyNames: 'TypeScript has no type of keys that match a schema',
  dependentRequired: 'a property is optional, whatever other properties there are',
  unevaluatedItems: 'no type depends on what other keywords evaluate',
  unevaluatedProperties: 'as of unevaluatedItems',
}

/** The compiler asks for an example too, but vitest does not run it. */
function exampleOf(name: KeywordName): Example {
  if (Object.hasOwn(examples, name)) return examples[name]
  const row = `${name}: { old: VALUE, new: VALUE, taken: an instance that only a schema with the old value accepts }`
  throw new Error(
    `The keyword ${name} has no example. Add to \`examples\` in test/keyword-examples.ts: ${row}`,
  )
}

type Row = { readonly keyword: Keyword; readonly example: Example }

const rows: readonly Row[] = keywords.map((keyword) => ({ keyword, example: exampleOf(keyword.name) }))
const validated = rows.filter(({ keyword, example }) => isValidated(keyword) && example.taken !== undefined)
const current = validated.filter(({ keyword }) => isCurrent(keyword))
const named = (list: readonly Row[]) => list.map((row) => [row.keyword.name, row] as const)

/** A keyword that is not in the table. made-up-keyword.test.ts is about one that only the table has. */
const madeUp: Row = {
  keyword: { name: 'madeUp', holds: 'count', role: 'assertion' },
  example: { old: 1, new: 2, taken: 1, beside: whole },
}

describe('duet diff', () => {
  let changes: Found<readonly string[]>
  beforeAll(async () => {
    changes = await forEach([...rows, madeUp], changesOf)
  })

  it.each(named(rows.filter(({ keyword }) => isReported(keyword))))('says that %s has changed', (name) => {
    expect(changes(name)).not.toEqual([])
  })

  it.each(named(current))('says that a change of %s breaks calls', (name) => {
    expect(changes(name)).toContainEqual(expect.stringMatching(/^(breaking|dangerous) request-/))
  })

  it.each(named(rows.filter(({ keyword }) => !isReported(keyword))))(
    'calls no change of %s one of values',
    (name) => {
      expect(changes(name).filter((change) => !change.startsWith('info '))).toEqual([])
    },
  )

  it('is silent about a keyword that is not in the table, so these tests fail for it', () => {
    expect(changes('madeUp')).toEqual([])
  })
})

/** Why an older version is served with another value of a reported keyword, and nobody writes a converter. */
const served: { readonly [name in KeywordName]?: string } = {
  default: 'the older version fills in its own',
  deprecated: 'it announces',
  discriminator: 'validators check what it selects, and it selects only objects',
  'x-stability-level': 'as of deprecated',
  'x-sunset': 'as of deprecated',
  'x-timezone':
    'the runtime brings params to UTC, and results to the zone of the call if the older version says so',
}

describe('duet adapt', () => {
  let kinds: Found<string>
  beforeAll(async () => {
    kinds = await forEach([...recent, madeUp], kindsOf)
  })

  const recent = rows.filter(({ keyword }) => keyword.outdated === undefined)
  const isWritten = ({ keyword }: Row) => isReported(keyword) && !(keyword.name in served)

  it.each(named(recent.filter(isWritten)))('leaves a change of %s to a person', (name) => {
    expect(kinds(name)).toBe('written')
  })

  it.each(named(recent.filter((row) => !isWritten(row))))('serves both values of %s', (name) => {
    expect(kinds(name)).toMatch(/^(identity|derived)$/)
  })

  it('serves a keyword that is not in the table, so these tests fail for it', () => {
    expect(kinds('madeUp')).toBe('identity')
  })
})

describe('duet contains', () => {
  const verdictOf = ({ keyword, example }: Row) => {
    const components = { schemas: { Text: text, Whole: whole } }
    const [old, fresh] = (['old', 'new'] as const).map((version) => ({
      ...schemaOf({ keyword, example }, version),
      components,
    }))
    const options = { dialect: dialectOf(keyword), formats: 'asserted' } as const
    return contains(old ?? false, fresh ?? false, options)
  }

  const isReadAlike = ({ keyword: { name } }: Row) => name !== 'nullable' && name !== '$dynamicRef'

  it.each(named(validated.filter(isReadAlike)))('knows what %s asks for', (_, row) => {
    expect(verdictOf(row).verdict).toBe('not-contained')
  })

  // Loading a document replaces both.
  it.each(named(validated.filter((row) => !isReadAlike(row))))('leaves open what %s asks for', (_, row) => {
    expect(verdictOf(row)).toMatchObject({ verdict: 'unknown', reason: expect.stringMatching(/^AJV /) })
  })

  it('ignores a keyword that is not in the table, so these tests fail for it', () => {
    expect(verdictOf(madeUp).verdict).toBe('contained')
  })
})

describe('duet lint', () => {
  const findingsOf = (name: string, value: Json) => {
    const schemas = { Schema: { [name]: value } }
    const root = { openapi: '3.1.1', info: { title: 'T', version: '1' }, components: { schemas } }
    const locate = (pointer: string) => ({ file: pointer, line: 1, column: 1 })
    return lint({ file: 'a.yaml', files: [], root, locate }).filter(({ pointer }) =>
      pointer?.startsWith(`#/components/schemas/Schema/${name}`),
    )
  }

  it.each(named(rows.filter(({ keyword }) => isCurrent(keyword) && !isAnything(keyword))))(
    'names %s where its value is of another type',
    (name, { keyword: { holds } }) => {
      expect(findingsOf(name, holds === 'text' ? 1 : 'text')).not.toEqual([])
    },
  )

  it.each(named(rows.filter(({ keyword }) => keyword.outdated !== undefined)))(
    'says that JSON Schema 2020-12 has no %s',
    (name, { example }) => {
      expect(findingsOf(name, example.old).map(({ code }) => code)).toContain('keyword-outdated')
    },
  )
})

describe('what is generated', () => {
  type Validators = ReturnType<typeof loadValidators>
  interface Generated {
    readonly validators: readonly Validators[]
    readonly types: readonly string[]
  }
  let generated: Found<Generated>
  beforeAll(async () => {
    generated = await forEach(current, async (about) => {
      const versions = await Promise.all(
        (['old', 'new'] as const).map((version) => generate(documentOf(about, version))),
      )
      const all = {
        validators: versions.map(({ files }) => loadValidators(files.get('validators.js') ?? '')),
        types: versions.map(({ files }) => files.get('types.ts') ?? ''),
      }
      return new Map(about.map(({ keyword: { name } }) => [name, all]))
    })
  })

  it.each(named(current.filter(({ keyword: { name } }) => !(name in untyped))))(
    'has another type for another %s',
    (name) => {
      const [was, is] = generated(name).types.map((text) => resultIn(text, operationOf(name)))
      expect(was).toContain('part')
      expect(is).not.toBe(was)
    },
  )

  it.each(named(current.filter(({ keyword: { name } }) => name in untyped)))(
    'has the same type for another %s',
    (name) => {
      const [was, is] = generated(name).types.map((text) => resultIn(text, operationOf(name)))
      expect(was).toContain('part')
      expect(is).toBe(was)
    },
  )

  it.each(named(current))('validates %s', (name, { example: { taken = null } }) => {
    const accepts = (validators: Validators) => validators[operationOf(name)]?.result?.({ part: taken })
    expect(generated(name).validators.map(accepts)).toEqual([true, false])
  })

  // Loading makes a $ref of every $dynamicRef.
  it.each(named(current.filter(({ keyword: { name } }) => name !== '$dynamicRef')))(
    'mocks a value by %s',
    (name, row) => {
      const schema = { type: 'object', required: ['part'], properties: { part: schemaOf(row, 'new') } }
      const sampler = new Sampler(new Map(Object.entries({ Text: text, Whole: whole })), 'result')
      const validator = generated(name).validators[1]?.[operationOf(name)]?.result
      if (validator === undefined) throw new Error(`no validator of ${name}`)
      expect(validSample(sampler, schema, validator, '1')).toHaveProperty('value')
    },
  )
})

/** What was found for a keyword. Throws if a stage failed for it. */
type Found<Result> = (name: string) => Result

/** Finds something for all keywords at once. If a stage fails for one, each is alone, so that the others are tested. */
async function forEach<Result>(
  about: readonly Row[],
  find: (about: readonly Row[]) => Promise<ReadonlyMap<string, Result>>,
): Promise<Found<Result>> {
  const failed = new Map<string, unknown>()
  const alone = async (row: Row) => {
    const none = (error: unknown) => {
      failed.set(row.keyword.name, error)
      return new Map<string, Result>()
    }
    return [...(await find([row]).catch(none))]
  }
  const found = await find(about).catch(async () => new Map((await Promise.all(about.map(alone))).flat()))
  return (name) => {
    const result = found.get(name)
    if (result === undefined) throw failed.get(name)
    return result
  }
}

/** The type of an operation's result. */
function resultIn(types: string, operation: string): string {
  const start = types.indexOf(`/** Result of ${operation}.`)
  return types.slice(start, types.indexOf('\n\n', start))
}

function isAnything({ holds }: Keyword): boolean {
  return holds === 'any' || holds === 'value'
}

/** A change of it is one of the contract. Lint says that an outdated keyword means nothing. */
function isReported(keyword: Keyword): boolean {
  if (keyword.outdated !== undefined) return false
  return (
    isValidated(keyword) ||
    keyword.role === 'note' ||
    keyword.role === 'extension' ||
    keyword.reported === true
  )
}

function dialectOf({ outdated }: Keyword): 'draft7' | '2019-09' | '2020-12' {
  return outdated === undefined ? '2020-12' : 'draft7'
}

/** What a comparison says about each keyword: one operation is about one keyword. */
async function changesOf(about: readonly Row[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const sides = await sidesOf(
    JSON.stringify(documentOf(about, 'old')),
    JSON.stringify(documentOf(about, 'new')),
  )
  const { changes } = compare(...sides, { today: '2026-11-21' })
  return new Map(
    about.map(({ keyword: { name } }) => [
      name,
      changes
        .filter(({ operations }) => operations.includes(operationOf(name)))
        .map(({ level, id }) => `${level} ${id}`),
    ]),
  )
}

/** What an operation of the older version needs, by the keyword that it is about. */
async function kindsOf(about: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const [before, after] = await sidesOf(
    JSON.stringify(documentOf(about, 'old')),
    JSON.stringify(documentOf(about, 'new')),
  )
  if (before.model === undefined || after.model === undefined) throw new Error('A document has no model')
  const { attack } = new Attacker(before.model, after.model, { count: 20, seed: '1' })
  const { operations } = adaptationOf(before, after, attack)
  const kinds = new Map(operations.map(({ name, kind }) => [name, kind]))
  return new Map(about.map(({ keyword: { name } }) => [name, kinds.get(operationOf(name)) ?? 'none']))
}

function documentOf(about: readonly Row[], version: 'old' | 'new'): JsonObject {
  const operations = about.map((row) => {
    const part = schemaOf(row, version)
    const content = {
      'application/json': { schema: { type: 'object', required: ['part'], properties: { part } } },
    }
    const put = {
      'x-rpc-method': operationOf(row.keyword.name),
      requestBody: { required: true, content },
      responses: { 200: { description: 'The part', content } },
    }
    return [`/${operationOf(row.keyword.name)}`, { put }] as const
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Keywords', version: '1.0.0' },
    paths: Object.fromEntries(operations),
    components: { schemas: { Text: text, Whole: whole } },
  }
}

function operationOf(name: string): string {
  return `keywords.${name.replace('$', 'core').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

function schemaOf({ keyword, example }: Row, version: 'old' | 'new'): JsonObject {
  return { ...example.beside, [keyword.name]: example[version] }
}
