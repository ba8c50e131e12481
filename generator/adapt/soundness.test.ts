import { replaceValues } from 'duet-runtime'
import fc from 'fast-check'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { adapted } from '../../test/adapt/adapted.js'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { clone, isArray, isObject, own } from '../document/json.js'
import type { Model } from '../model/model.js'
import { Random } from '../samples/random.js'
import { requiredOf, type Schema, schemaMap } from '../schema/schema.js'
import { LazyValidators } from '../validators/lazy-validators.js'
import { derivedFile } from './derived-file.js'
import { applied } from './plan/plan.js'

// Random pairs of versions: a schema, and the same schema with a few changes, in a body and in an answer.

/** A property of a few pairs, and of many in CI's second stage. */
function property(title: string, holds: (runs: number) => Promise<void>): void {
  test(title, () => holds(6))
  test(`${title}, for many pairs`, { tags: 'long' }, () => holds(60))
}

/** Two versions of a random document, and `count` values to try. */
function randomStep(seed: number, count: number): ReturnType<typeof adapted> {
  const random = new Random(String(seed))
  const schema = schemaOf(random, 3)
  const other = (): JsonObject => {
    const next = random.next() < 0.4 ? moved(schema, random) : schema
    return random.next() < 0.7 ? changed(next, random) : next
  }
  const options = { count, seed: String(seed) }
  const [body, answer] = [other(), other()]
  return random.next() < 0.7
    ? adapted(documentOf(schema, schema), documentOf(body, answer), options)
    : adapted(documentOf(body, answer), documentOf(schema, schema), options)
}

property('a converter that is proved makes no value that the other version refuses', async (runs) => {
  const found = { proved: 0, held: 0, written: 0 }
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { adaptation, attacker } = await randomStep(seed, 80)
      for (const { before, after, parts } of adaptation.operations)
        for (const { name, plan, verdict, kind } of parts) {
          if (kind === 'written') found.written += 1
          else found[verdict.kind === 'proved' ? 'proved' : 'held'] += 1
          if (verdict.kind !== 'proved' || after === undefined) continue
          for (const value of attacker.cases(name, before, after)) {
            const refusal = attacker.refusal(name, before, after, applied(plan, value))
            expect(refusal, JSON.stringify({ name, value, plan: [...steps(plan)] })).toBeUndefined()
            if (kind !== 'identity' || name !== 'params') continue
            // The runtime hands these params over without validating them again.
            const filled = clone(value)
            validators(adaptation.next).of(after).params(filled)
            expect(filled).toEqual(value)
          }
        }
    }),
    { numRuns: runs },
  )
  expect(found.proved).toBeGreaterThan(runs / 2)
})

property('a converter keeps each member that both versions know', async (runs) => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = new Random(String(seed))
      const schema = schemaOf(random, 3)
      const other = changed(schema, random)
      const { adaptation, attacker } = await adapted(documentOf(true, schema), documentOf(true, other), {
        count: 40,
        seed: String(seed),
      })
      for (const { before, after, parts } of adaptation.operations)
        for (const { name, plan, kind } of parts) {
          // What is replaced is what only the next version knows.
          if (kind === 'written' || plan.kind === 'replacing') continue
          if (after === undefined || name !== 'result') continue
          for (const value of attacker.cases(name, before, after))
            expect(shared(applied(plan, value), schema, other)).toEqual(shared(value, schema, other))
        }
    }),
    { numRuns: runs },
  )
})

property('what moves into an object comes back as it was', async (runs) => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = new Random(String(seed))
      const schema = { ...schemaOf(random, 3), additionalProperties: false }
      const other = moved(schema, random)
      const [one, two] = random.next() < 0.5 ? [schema, other] : [other, schema]
      const step = await adapted(documentOf(one, one), documentOf(two, two), {
        count: 20,
        seed: String(seed),
      })
      for (const { before, after, parts } of step.adaptation.operations) {
        const [forth, back] = ['params', 'result'].map((name) => parts.find((part) => part.name === name))
        if (after === undefined || forth?.kind !== 'derived' || back?.kind !== 'derived') continue
        for (const value of step.attacker.cases('params', before, after)) {
          compared += 1
          // Members that an object may be without say nothing by being empty.
          const there = applied(forth.plan, value)
          expect(applied(forth.plan, applied(back.plan, there))).toEqual(there)
          const refusal = step.attacker.refusal('params', before, after, there)
          expect(refusal, JSON.stringify({ value, there })).toBeUndefined()
        }
      }
    }),
    { numRuns: runs / 3 },
  )
  expect(compared).toBeGreaterThan(runs / 3)
})

property('the written code does what was proved', async (runs) => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { adaptation, attacker } = await randomStep(seed, 30)
      const { derived, parts: partly = {} } = await loaded(derivedFile(adaptation, { older: 'a', next: 'b' }))
      for (const { name: operation, before, after, parts } of adaptation.operations)
        for (const { name, plan, kind } of parts) {
          if (kind !== 'derived' || plan.kind === 'keep' || after === undefined) continue
          const convert = (derived[operation] ?? partly[operation])?.[name]
          for (const value of attacker.cases(name, before, after)) {
            compared += 1
            expect(convert?.(value)).toEqual(applied(plan, value))
          }
        }
    }),
    { numRuns: runs },
  )
  expect(compared).toBeGreaterThan(runs)
})

type Entries = Readonly<Record<string, Readonly<Record<string, (value: Json) => Json>>>>

/** The exports of a derived file. It imports types, and a function of the runtime. */
function loaded(source: string): Promise<{ readonly derived: Entries; readonly parts?: Entries }> {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  Object.assign(globalThis, { replaceValues })
  const code = outputText.replace("import { replaceValues } from 'duet-runtime';", '')
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
}

/** The part of a value that both schemas describe. */
function shared(value: Json, one: Schema, other: Schema): Json {
  if (isArray(value) && isObject(one) && isObject(other)) {
    const [items, others] = [own(one, 'items'), own(other, 'items')]
    return value.map((item) => shared(item, (items ?? true) as Schema, (others ?? true) as Schema))
  }
  if (!isObject(value) || !isObject(one) || !isObject(other)) return value
  const [ours, theirs] = [new Map(schemaMap(one, 'properties')), new Map(schemaMap(other, 'properties'))]
  return objectOf(
    Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const [a, b] = [ours.get(name), theirs.get(name)]
      return a === undefined || b === undefined ? [] : [[name, shared(member, a, b)]]
    }),
  )
}

function documentOf(body: Schema, answer: Schema): string {
  const content = (schema: Schema): JsonObject => ({ 'application/json': { schema } })
  const put = {
    operationId: 'things.put',
    ...(body !== true && { requestBody: { required: true, content: content(body) } }),
    responses: { 200: { description: 'Done.', content: content(answer) } },
  }
  return JSON.stringify({ paths: { '/things': { put } } })
    .replace(/^\{|\}$/g, '')
    .replace(/^"paths":/, 'paths: ')
}

const names = ['a', 'b', 'c', 'd']

function schemaOf(random: Random, depth: number): JsonObject {
  const kind = depth === 3 ? 'object' : random.pick(depth > 0 ? kinds : kinds.slice(0, 5))
  switch (kind) {
    case 'object': {
      const own_ = names.filter(() => random.next() < 0.5)
      return {
        type: random.next() < 0.1 && depth < 3 ? ['object', 'null'] : 'object',
        properties: objectOf(own_.map((name) => [name, schemaOf(random, depth - 1)])),
        required: own_.filter(() => random.next() < 0.5),
        ...(random.next() < 0.5 && { additionalProperties: false }),
      }
    }
    case 'array':
      return { type: 'array', items: schemaOf(random, depth - 1) }
    case 'union':
      return {
        oneOf: ['x', 'y'].map((tag) => ({
          type: 'object',
          properties: { tag: { const: tag }, a: schemaOf(random, depth - 2) },
          required: ['tag'],
          ...(random.next() < 0.5 && { additionalProperties: false }),
        })),
      }
    case 'integer':
      return { type: 'integer', minimum: 0, maximum: random.integer(1, 3) * 10 }
    case 'enum':
      return { type: 'string', enum: names.slice(random.integer(0, 1), random.integer(2, 3)) }
    case 'constant':
      return { const: random.pick(names) ?? 'a' }
    default:
      return { type: 'string' }
  }
}

const kinds = ['integer', 'string', 'constant', 'enum', 'enum', 'array', 'object', 'object', 'union'] as const

/** The schema with a member in an object of its own, or with two members in one. */
function moved(schema: JsonObject, random: Random): JsonObject {
  const properties = new Map(schemaMap(schema, 'properties'))
  const required = new Set(requiredOf(schema))
  const [one, two] = properties.keys()
  if (one === undefined) return schema
  const closed = random.next() < 0.5 && { additionalProperties: false }
  const holder = (members: readonly string[], needed: readonly string[]): JsonObject => ({
    type: 'object',
    properties: objectOf(members.map((name) => [name, properties.get(name) ?? true])),
    required: [...needed],
    ...closed,
  })
  if (random.next() < 0.3) {
    const known = properties.get(one) ?? true
    const value: JsonObject = { type: 'object', properties: { value: known }, required: ['value'], ...closed }
    properties.set(one, value)
  } else if (random.next() < 0.2) {
    return { type: 'object', properties: { data: schema }, required: ['data'], ...closed }
  } else if (two !== undefined) {
    const both = [one, two]
    properties.set(
      'g',
      holder(
        both,
        both.filter((name) => required.has(name)),
      ),
    )
    if (both.some((name) => required.has(name)) || random.next() < 0.3) required.add('g')
    for (const name of both) {
      properties.delete(name)
      required.delete(name)
    }
  }
  return { ...schema, properties: objectOf(properties), required: [...required] }
}

/** The schema with about two changes. */
function changed(schema: JsonObject, random: Random): JsonObject {
  if (isObject(schema.items) && random.next() < 0.8)
    return { ...schema, items: changed(schema.items, random) }
  if (isArray(schema.oneOf)) {
    const at = random.integer(0, schema.oneOf.length - 1)
    const branch = schema.oneOf[at]
    return isObject(branch) ? { ...schema, oneOf: schema.oneOf.with(at, changed(branch, random)) } : schema
  }
  if (schema.type === 'integer') return { ...schema, maximum: random.integer(1, 3) * 10 }
  if (isArray(schema.enum)) return changedEnum(schema, schema.enum, random)
  if (!isObject(schema.properties)) return random.next() < 0.3 ? schemaOf(random, 0) : schema
  const properties = new Map(schemaMap(schema, 'properties'))
  const required = new Set(requiredOf(schema))
  const name = random.pick(names) ?? 'a'
  const known = properties.get(name)
  if (known === undefined || known === true) {
    const fresh = schemaOf(random, 0)
    properties.set(name, random.next() < 0.3 && fresh.type === 'string' ? { ...fresh, default: 'z' } : fresh)
    if (random.next() < 0.5) required.add(name)
  } else if (random.next() < 0.3) {
    properties.delete(name)
    required.delete(name)
  } else if (isObject(known)) properties.set(name, changed(known, random))
  const next = { ...schema, properties: objectOf(properties), required: [...required] }
  return random.next() < 0.4 ? changed(next, random) : next
}

/** Other values, some of which have a fallback. Sometimes another schema describes the same value. */
function changedEnum(schema: JsonObject, values: readonly Json[], random: Random): JsonObject {
  const others = ['a', 'b', 'z'].filter(() => random.next() < 0.6)
  const fallback = Object.fromEntries(
    [...values, ...others].flatMap((value) =>
      random.next() < 0.7 ? [[String(value), random.pick([...values, ...others]) ?? 'a']] : [],
    ),
  )
  const next: JsonObject = { ...schema, enum: ['a', ...others], 'x-enum-fallback': fallback }
  const beside =
    random.pick([{ type: 'string', maxLength: 0 }, { type: 'null' }, { enum: ['a', 'z'] }]) ?? true
  return random.next() < 0.3 ? { anyOf: [next, beside] } : next
}

function validators(model: Model): LazyValidators {
  return new LazyValidators(model)
}

function steps(plan: object): string[] {
  return [JSON.stringify(plan, (_, value) => (value instanceof Map ? [...value] : value))]
}
