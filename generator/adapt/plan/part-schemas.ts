import type { Operation } from '../../model/model.js'
import type { Schema } from '../../schema/schema.js'
import type { PartName } from './plan.js'

/** Error bodies of the documents' own that both versions declare for one status. */
export interface BodyPair {
  /** Key of the response in the next version: `404`, `4XX` or `default`. */
  readonly response: string
  readonly sent: Schema
  /** Undefined: the older version has no such body. */
  readonly received: Schema | undefined
}

export function bodyPairs(before: Operation, after: Operation): readonly BodyPair[] {
  return after.failures.flatMap(({ response, schema: sent }) => {
    if (sent === undefined) return []
    const keys = [response, response.replace(/^(\d)\d\d$/, '$1XX'), 'default']
    const known = keys.flatMap((key) => before.failures.find((one) => one.response === key) ?? [])
    return [{ response, sent, received: known[0]?.schema }]
  })
}

/** The body that all errors of an operation have. Undefined if they differ, or there is none. */
export function onlyBody({ failures }: Operation): Schema | undefined {
  const bodies = new Map(
    failures.flatMap(({ schema }) =>
      schema === undefined ? [] : [[JSON.stringify(schema), schema] as const],
    ),
  )
  return bodies.size === 1 ? [...bodies.values()][0] : undefined
}

/** The schema of a part. Undefined: the operation does not describe it. */
export function schemaOf(operation: Operation, part: PartName): Schema | undefined {
  if (part === 'error') return onlyBody(operation)
  return part === 'piece' ? operation.pieces : operation[part]
}
