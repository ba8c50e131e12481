import type { Operation } from './operation.js'

/**
 * The key of the response that a document declares for an error. A status goes before its range, and that before `default`
 * (OpenAPI 3.1, Responses Object).
 */
export function failureResponse(failures: Operation['failures'], status: number): string | undefined {
  if (failures === undefined) return undefined
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) =>
    Object.hasOwn(failures, key),
  )
}
