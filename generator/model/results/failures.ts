import { responseOf } from 'duet-runtime/catalogue'
import { type Cursor, follow, member, members } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import type { Schema } from '../../schema/schema.js'
import type { Components } from '../content/components.js'
import { mediaTypesOf } from '../content/content.js'
import type { Failure, Operation } from '../model.js'
import { isFailingDefault, responsesOf } from './default-response.js'
import { examplesAt } from './examples.js'

/**
 * The JSON bodies of an operation's errors: those of its 4xx and 5xx responses, and of `default` next to a
 * success or if it can only be a failure. A response that also has problems (RFC 9457), or has no JSON, returns
 * problems.
 */
export function readFailures(document: Document, components: Components, operation: Cursor): Failure[] {
  const responses = members(member(operation, 'responses'))
  const isDefaultFailing =
    responses.some(({ key }) => /^[23](\d\d|XX)$/i.test(key)) ||
    isFailingDefault(responsesOf(document, operation))
  const failures = responses.flatMap((response): Failure[] => {
    if (!/^[45](\d\d|XX)$/i.test(response.key) && !(response.key === 'default' && isDefaultFailing)) return []
    const target = follow(document, response)
    const media = target === undefined ? [] : mediaTypesOf(document, target)
    const isProblem = media.some(({ type }) => type === 'application/problem+json')
    const json = isProblem ? undefined : media.find(({ kind }) => kind === 'json')
    return [
      {
        response: response.key === 'default' ? 'default' : response.key.toUpperCase(),
        type: json === undefined || json.type.includes('*') ? 'application/json' : json.type,
        schema: json?.schema && components.read(json.schema),
        get examples() {
          return json === undefined ? [] : [...examplesAt(document, json.cursor).values()]
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
