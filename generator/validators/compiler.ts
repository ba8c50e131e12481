import {
  _,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type KeywordErrorDefinition,
  Name,
  str,
  type Vocabulary,
} from 'ajv'
import AjvCore from 'ajv/dist/core.js'
import applicator from 'ajv/dist/vocabularies/applicator/index.js'
import core from 'ajv/dist/vocabularies/core/index.js'
import format from 'ajv/dist/vocabularies/format/index.js'
import next from 'ajv/dist/vocabularies/next.js'
import unevaluated from 'ajv/dist/vocabularies/unevaluated/index.js'
import validation from 'ajv/dist/vocabularies/validation/index.js'
import { fullFormats } from 'duet-runtime/validation'
import { unknownKeywords } from '../document/vocabulary.js'
import { isRegExp } from '../patterns/pattern.js'
import { countMembersApart } from '../schema/evaluation.js'
import { oneWayKeywords } from '../schema/one-way.js'
import { discriminator } from './discriminator-keyword.js'
import { defaultExport } from './interop.js'
import { linearKeywords } from './linear-keywords.js'
import { reference } from './reference-keyword.js'
import { StableScope } from './validator-names.js'

/** An AJV instance that writes validators of JSON Schema 2020-12 as source. */
export type Compiler = InstanceType<typeof AjvCore.default> & {
  readonly scope: StableScope
  readonly takesBigInts: boolean
}

/**
 * A compiler without unused vocabularies: dynamic references would cost every generated function an argument.
 * `ownProperties` and `unevaluated`, which also cost code, are set for each schema.
 *
 * @param takesBigInts whether a bigint counts as a number
 */
export function createCompiler(takesBigInts = false): Compiler {
  const ajv = new (defaultExport(AjvCore))({
    allErrors: true,
    // Leaves `oneOf` to our own keyword `discriminator`.
    discriminator: true,
    code: {
      source: true,
      esm: true,
      lines: true,
      formats: _`fullFormats`,
      regExp,
    },
    inlineRefs: false,
    logger: false,
    meta: false,
    next: true,
    strict: false,
    useDefaults: true,
    validateSchema: false,
  })
  const vocabularies = [
    defaultExport(core).map((entry) => (isReference(entry) ? reference : entry)),
    defaultExport(validation),
    defaultExport(applicator)(true),
    defaultExport(format).map((entry) =>
      typeof entry === 'object' ? { ...entry, error: formatError } : entry,
    ),
    defaultExport(next),
    defaultExport(unevaluated),
  ]
  for (const vocabulary of vocabularies) ajv.addVocabulary(vocabulary)
  for (const definition of linearKeywords) {
    ajv.removeKeyword(definition.keyword)
    ajv.addKeyword(definition)
  }
  ajv.addKeyword(binary)
  ajv.addKeyword(discriminator)
  for (const keyword of oneWayKeywords) ajv.addKeyword(keyword)
  for (const { name } of unknownKeywords((keyword) => ajv.getKeyword(keyword) !== false))
    ajv.addKeyword({
      keyword: name,
      code() {
        throw new Error(`the keyword ${name} has no validator`)
      },
    })
  for (const [name, definition] of Object.entries(fullFormats)) ajv.addFormat(name, definition)
  countMembersApart(ajv, Name)
  return Object.assign(ajv, { scope: new StableScope(), takesBigInts })
}

/** A datetime with an optional offset, because `__tz` can replace it. */
export const zonedFormat = 'zoned-date-time'

/** The regular expressions that AJV would write for formats, and the names of those formats. */
export const formatsByText: ReadonlyMap<string, string> = new Map(
  Object.entries(fullFormats)
    .filter(([, definition]) => definition instanceof RegExp)
    .map(([name, definition]) => [String(definition), name]),
)

/**
 * Not every valid ECMA-262 pattern allows the flag u, which AJV always writes. `importable` removes it from the
 * others.
 */
const regExp = Object.assign(
  (source: string, flags: string): RegExp => new RegExp(source, isRegExp(source, flags) ? flags : ''),
  { code: 'new RegExp' },
)

/** The format of an int64 or uint64 that may be a bigint. */
export function exactFormat(format: string): string {
  return exact + format
}

const exact = 'exact-'

/** AJV's own error would name the internal format, which callers do not know. */
const formatError: KeywordErrorDefinition = {
  message({ schema, schemaCode }) {
    if (schema === zonedFormat) return 'must be an RFC 3339 date-time, whose offset may be missing'
    if (schema === 'int64') return unsafeInt64
    const isExact = typeof schema === 'string' && schema.startsWith(exact)
    return isExact
      ? `must match format "${schema.slice(exact.length)}"`
      : str`must match format "${schemaCode}"`
  },
  params: ({ schemaCode }) => _`{format: ${schemaCode}}`,
}

/** Digits beyond the safe range may be lost. The operator of the service can choose another type. */
const unsafeInt64 =
  'must be an integer within ±(2^53 - 1), unless the service sets "int64" to "bigint" or "string" in its duet.config.json'

/** Whether an entry of a vocabulary defines `$ref`. */
function isReference(entry: Vocabulary[number]): boolean {
  return typeof entry === 'object' && entry.keyword === '$ref'
}

/** A file, which a schema of the model marks with `$binary`. */
const binary: CodeKeywordDefinition = {
  keyword: '$binary',
  schemaType: 'boolean',
  error: { message: 'must be a file, or base64 text in JSON' },
  code(context: KeywordCxt) {
    context.fail(_`!(${context.data} instanceof Blob)`)
  },
}
