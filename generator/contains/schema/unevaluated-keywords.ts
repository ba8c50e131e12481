import { choices } from '../../document/vocabulary.js'
import { Undecidable } from '../../patterns/budget.js'
import type { Formula } from '../formula/formula.js'
import { isObject, type Json } from '../values/value.js'
import type { Language } from '../words/language.js'
import { itemSchemas } from './array-keywords.js'
import { declaredKeys } from './object-keywords.js'
import { child, follow, followDynamic, type Site } from './site.js'
import { Subschema } from './subschema.js'

const infinity = Number.POSITIVE_INFINITY

/**
 * Writes out what sibling and in-place keywords evaluate: for each region of keys or positions, either the
 * unevaluated schema applies there, or a branch that evaluates the region is true.
 */
export function* unevaluatedKeywords(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  const properties = schema.get('unevaluatedProperties')
  const items = schema.get('unevaluatedItems')
  if (properties === undefined && items === undefined) return
  const evaluations = [...inside(schema, formulas.always, false, 0)]
  if (properties !== undefined) {
    const part = schema.readEach(properties)
    for (const { keys, by } of regions(schema, evaluations))
      yield formulas.any([formulas.everyKey(keys, part), ...by])
  }
  if (items === undefined) return
  if (evaluations.some(({ when }) => when !== formulas.always)) schema.reader.note('unevaluated')
  yield* unevaluatedItems(schema, schema.readEach(items), evaluations)
}

/** What is evaluated under a condition. `matching`: items that satisfy it, at any position. */
interface Evaluation {
  readonly when: Formula
  readonly keys: Language
  readonly items: number
  readonly matching?: Formula
}

function* inside(schema: Subschema, when: Formula, nested: boolean, depth: number): Iterable<Evaluation> {
  if (depth > 60) throw new Undecidable('an unevaluated keyword applies to a schema that refers to itself')
  const { formulas, reader } = schema
  // AJV marks everything that it compiles, even if it does not apply it.
  if (nested && reader.dialect === '2019-09' && schema.has('unevaluatedItems')) reader.note('nested')
  yield* own(schema, when, nested)
  const into = function* (site: Site, condition: Formula): Iterable<Evaluation> {
    if (isObject(site.schema))
      yield* inside(new Subschema(reader, site, site.schema), condition, true, depth + 1)
  }
  const under = (part: Json, ...conditions: Formula[]): Iterable<Evaluation> =>
    into(child(schema.site, part), formulas.all([when, ...conditions]))
  const reference = schema.get('$ref')
  if (typeof reference === 'string') yield* into(follow(schema.site, reference), when)
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    const dynamic = schema.get(keyword)
    if (typeof dynamic === 'string') yield* into(followDynamic(schema.site, dynamic), when)
  }
  for (const part of schema.list('allOf')) yield* under(part)
  for (const keyword of choices)
    for (const part of schema.list(keyword)) yield* under(part, schema.read(part))
  for (const keyword of ['dependentSchemas', 'dependencies'])
    for (const [name, part] of schema.map(keyword))
      if (!Array.isArray(part)) {
        const present = formulas.someKey(formulas.languages.words([name]), formulas.always)
        yield* under(part, present, schema.read(part))
      }
  yield* conditional(schema, under)
}

function* conditional(
  schema: Subschema,
  under: (part: Json, ...conditions: Formula[]) => Iterable<Evaluation>,
): Iterable<Evaluation> {
  const { formulas } = schema
  const condition = schema.get('if')
  if (condition === undefined) return
  const holds = schema.read(condition)
  const then = schema.get('then')
  const otherwise = schema.get('else')
  yield* under(condition, holds)
  if (then !== undefined) yield* under(then, holds, schema.read(then))
  if (otherwise !== undefined) yield* under(otherwise, formulas.not(holds), schema.read(otherwise))
}

function* own(schema: Subschema, when: Formula, nested: boolean): Iterable<Evaluation> {
  const { languages } = schema.formulas
  const open = schema.has('additionalProperties') || (nested && schema.has('unevaluatedProperties'))
  const { prefix, rest } = itemSchemas(schema)
  const all = rest !== undefined || (nested && schema.has('unevaluatedItems'))
  yield { when, keys: open ? languages.any : declaredKeys(schema), items: all ? infinity : prefix.length }
  const contains = schema.get('contains')
  if (contains === undefined) return
  // In 2019-09 some validators treat matches of `contains` as evaluated, as later drafts do.
  if (schema.reader.dialect === '2019-09') schema.reader.note('nested')
  else yield { when, keys: languages.none, items: 0, matching: schema.read(contains) }
}

function regions(
  schema: Subschema,
  evaluations: readonly Evaluation[],
): { readonly keys: Language; readonly by: readonly Formula[] }[] {
  const { languages, always } = schema.formulas
  const names = new Set<string>()
  const wide = new Map<Language, Formula[]>()
  for (const { keys, when } of evaluations)
    for (const part of keys.kind === 'or' ? keys.parts : [keys])
      if (part.kind === 'words') for (const word of part.words) names.add(word)
      else wide.set(part, [...(wide.get(part) ?? []), when])
  const found: { keys: Language; by: Formula[] }[] = [...names].map((name) => ({
    keys: languages.words([name]),
    by: evaluations.filter(({ keys }) => languages.test(keys, name)).map(({ when }) => when),
  }))
  let rest: { keys: Language; by: Formula[] }[] = [{ keys: languages.not(languages.words(names)), by: [] }]
  for (const [language, conditions] of wide) {
    if (rest.length > 64) throw new Undecidable('an unevaluated keyword has too many patterns')
    rest = rest.flatMap(({ keys, by }) => [
      { keys: languages.and([keys, language]), by: [...by, ...conditions] },
      { keys: languages.and([keys, languages.not(language)]), by },
    ])
  }
  return [...found, ...rest].filter(({ by }) => !by.includes(always))
}

function* unevaluatedItems(
  schema: Subschema,
  part: Formula,
  evaluations: readonly Evaluation[],
): Iterable<Formula> {
  const { formulas } = schema
  const cuts = [...new Set([0, ...evaluations.map(({ items }) => items)])]
    .filter((cut) => cut !== infinity)
    .sort((a, b) => a - b)
  const matching = evaluations.filter((one) => one.matching !== undefined)
  if (matching.length > 5) throw new Undecidable('unevaluatedItems has too many contains')
  const choices = matching.reduce<{ when: Formula[]; parts: Formula[] }[]>(
    (sets, { when, matching: match }) =>
      sets.flatMap((set) => [
        ...(when === formulas.always ? [] : [set]),
        { when: [...set.when, when], parts: [...set.parts, match ?? formulas.never] },
      ]),
    [{ when: [], parts: [part] }],
  )
  for (const [i, from] of cuts.entries()) {
    const to = cuts[i + 1] ?? infinity
    const by = evaluations.filter(({ items }) => items > from).map(({ when }) => when)
    yield formulas.any([
      ...by,
      ...choices.map(({ when, parts }) =>
        formulas.all([...when, formulas.every(from, to, formulas.any(parts))]),
      ),
    ])
  }
}
