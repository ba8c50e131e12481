import type { Formula } from '../formula/formula.js'
import type { Language } from '../words/language.js'
import { keyLanguage } from './key-language.js'
import type { Subschema } from './subschema.js'

const infinity = Number.POSITIVE_INFINITY

/** Properties by name, pattern and what remains; their number, names and dependencies. */
export function* objectKeywords(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  const { languages } = formulas
  const key = (name: string): Language => languages.words([name])
  for (const [name, part] of schema.map('properties')) yield formulas.everyKey(key(name), schema.read(part))
  for (const [pattern, part] of schema.map('patternProperties'))
    yield formulas.everyKey(languages.pattern(pattern), schema.readEach(part))
  const additional = schema.get('additionalProperties')
  if (additional !== undefined)
    yield formulas.everyKey(languages.not(declaredKeys(schema)), schema.readEach(additional))
  const min = schema.number('minProperties')
  if (min !== undefined) yield formulas.size('size', min, infinity)
  const max = schema.number('maxProperties')
  if (max !== undefined) yield formulas.size('size', 0, max)
  const present = (name: string): Formula => formulas.someKey(key(name), formulas.always)
  for (const name of schema.list('required')) if (typeof name === 'string') yield present(name)
  const names = schema.get('propertyNames')
  if (names !== undefined)
    yield formulas.everyKey(languages.not(keyLanguage(formulas, schema.read(names))), formulas.never)
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas'])
    for (const [name, needs] of schema.map(keyword)) {
      const absent = formulas.everyKey(key(name), formulas.never)
      const then = Array.isArray(needs)
        ? formulas.all(needs.map((one) => present(String(one))))
        : schema.read(needs)
      yield formulas.any([absent, then])
    }
}

/** Keys that properties and patternProperties declare. */
export function declaredKeys(schema: Subschema): Language {
  const { languages } = schema.formulas
  return languages.or([
    languages.words(schema.map('properties').map(([name]) => name)),
    ...schema.map('patternProperties').map(([pattern]) => languages.pattern(pattern)),
  ])
}
