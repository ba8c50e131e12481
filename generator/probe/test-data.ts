import type { Json, JsonObject } from '../document/document.js'
import { isObject, own, quoted } from '../document/json.js'
import { closest } from '../document/spelling.js'
import { parseSource } from '../load/source.js'
import { UsageError } from '../project/usage-error.js'

/** What a test needs to know of a server: values that exist there, and the operations that it may call. */
export interface TestData {
  /** Values of params by name, for every operation that has one of that name. */
  readonly params: JsonObject
  readonly operations: ReadonlyMap<string, OperationData>
}

interface OperationData {
  readonly params?: JsonObject
  /** Whether to call it though it may change something. */
  readonly unsafe?: boolean
  /** Whether to leave it out. */
  readonly skip?: boolean
}

export const noData: TestData = { params: {}, operations: new Map() }

/**
 * Reads a data file: YAML, or JSON if its name ends in `.json`.
 *
 * @param known the names of the document's operations
 * @throws UsageError for anything that it does not know, so that a typing error is no silent omission
 */
export function readTestData(file: string, text: string, known: readonly string[]): TestData {
  const { source, diagnostics } = parseSource(file, file, text)
  const [first] = diagnostics
  if (source === undefined || first !== undefined)
    throw new UsageError(`${file} cannot be read: ${first?.message ?? 'it is empty'}`)
  const root = objectAt(file, 'the file', source.value ?? {})
  checkNames(file, root, ['params', 'operations'])
  const operations = Object.entries(objectAt(file, 'operations', own(root, 'operations') ?? {}))
  return {
    params: objectAt(file, 'params', own(root, 'params') ?? {}),
    operations: new Map(
      operations.map(([name, value]) => {
        if (!known.includes(name)) {
          const similar = closest(name, known)
          const hint = similar === undefined ? '' : ` Did you mean ${similar}?`
          throw new UsageError(`${file}: the document has no operation ${quoted(name)}.${hint}`)
        }
        return [name, operationData(file, name, value)]
      }),
    ),
  }
}

function operationData(file: string, name: string, value: Json): OperationData {
  const entry = objectAt(file, name, value)
  checkNames(file, entry, ['params', 'unsafe', 'skip'])
  const flags = (['unsafe', 'skip'] as const).flatMap((key) => {
    const flag = own(entry, key)
    if (flag !== undefined && typeof flag !== 'boolean')
      throw new UsageError(`${file}: ${key} of ${name} must be true or false.`)
    return flag === undefined ? [] : [[key, flag]]
  })
  const params = own(entry, 'params')
  return {
    ...Object.fromEntries(flags),
    ...(params !== undefined && { params: objectAt(file, `params of ${name}`, params) }),
  }
}

function checkNames(file: string, entry: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(entry).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`${file}: unknown name ${quoted(unknown)}. Known names: ${known.join(', ')}.`)
}

function objectAt(file: string, name: string, value: Json): JsonObject {
  if (isObject(value)) return value
  throw new UsageError(`${file}: ${name} must be an object.`)
}
