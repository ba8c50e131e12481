import { type ErrorDefinition, responseOf } from 'duet-runtime/catalogue'
import { type Cursor, follow, member, members } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { resolve, type Schema, schemaMap } from '../../schema/schema.js'
import type { Components } from '../content/components.js'
import { mediaTypesOf } from '../content/content.js'
import type { Failure, Operation } from '../model.js'
import { isFailingDefault, responsesOf } from './default-response.js'
import { readErrorMembers } from './errors.js'
import { examplesAt } from './examples.js'
import { refusesProblems } from './own-problem.js'

/**
 * The JSON bodies of an operation's errors: those of its 4xx and 5xx responses, and of `default` next to a
 * success or if it can only be a failure. A response that also has problems (RFC 9457), or has no JSON, returns
 * problems, unless the schema of its problems refuses those that a Duet service sends.
 */
export function readFailures(
  document: Document,
  components: Components,
  errors: ReadonlyMap<string, ErrorDefinition>,
  operation: Cursor,
): Failure[] {
  const responses = members(member(operation, 'responses'))
  const isDefaultFailing =
    responses.some(({ key }) => /^[23](\d\d|XX)$/i.test(key)) ||
    isFailingDefault(document, responsesOf(document, operation))
  const extensions = (): ReadonlySet<string> => {
    const names = [...readErrorMembers(document, components, errors).values()]
    return new Set(
      names.flatMap((name) => {
        const schema = resolve(components.schemas, components.schemas.get(name) ?? true)
        return isObject(schema) ? schemaMap(schema, 'properties').map(([member]) => member) : []
      }),
    )
  }
  const failures = responses.flatMap((response): Failure[] => {
    if (!/^[45](\d\d|XX)$/i.test(response.key) && !(response.key === 'default' && isDefaultFailing)) return []
    const target = follow(document, response)
    const media = target === undefined ? [] : mediaTypesOf(document, target)
    const problem = media.find(({ type }) => type === 'application/problem+json')
    const json = problem ?? media.find(({ kind }) => kind === 'json')
    const schema = json?.schema && components.read(json.schema)
    const isOwn =
      schema !== undefined &&
      (problem === undefined || refusesProblems(components.schemas, schema, extensions()))
    return [
      {
        response: response.key === 'default' ? 'default' : response.key.toUpperCase(),
        type: json === undefined || !isOwn || json.type.includes('*') ? 'application/json' : json.type,
        schema: isOwn ? schema : undefined,
        get examples() {
          return json === undefined || !isOwn ? [] : [...examplesAt(document, json.cursor).values()]
        },
      },
    ]
  })
  return failures.some(({ schema }) => schema !== undefined) ? failures : []
}

/** The schema of an operation's error body for a status. Undefined for problems. */
export function failureSchema({ failures }: Operation, status: number): Schema | undefined {
  const response = responseOf((key) => failures.some((failure) => failure.response === key), status)
  return failures.find((failure) => failure.response === response)?.schema
}
