import type { Method } from 'duet-runtime'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { compareText, follow, member, objectOf, text } from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { keepOrder } from '../../document/written-order.js'
import { canonicalDocument } from '../../schema/canonical.js'
import { settleDefaults } from '../../schema/defaults/defaults.js'
import type { Int64 } from '../../schema/int64.js'
import { readComponents } from '../content/components.js'
import {
  binaryFinder,
  datetimeFinder,
  type Int64Finder,
  int64Finder,
  int64NumberFinder,
  int64NumbersOf,
  int64Of,
} from '../content/datetimes.js'
import { checkInt64Values } from '../content/int64-values.js'
import type { Model, Operation, Provenance } from '../model.js'
import type { Naming } from '../naming/naming.js'
import { withFreeForm } from '../params/free-form.js'
import { namedByPlace } from '../params/parameter-names.js'
import {
  compareBindings,
  isIdempotencyKey,
  type ParameterReading,
  readParameters,
  writtenParams,
} from '../params/parameters.js'
import { mergeParams } from '../params/params.js'
import { queryBindings } from '../params/query-bindings.js'
import { usesRpcExtensions } from '../params/rpc-extensions.js'
import { operationErrors, readErrorMembers, readErrors, withInt64 } from '../results/errors.js'
import { readExamples } from '../results/examples.js'
import { readFailures } from '../results/failures.js'
import { readResult } from '../results/result.js'
import { readWebhooks } from '../results/webhooks.js'
import { readDeprecation } from './deprecation.js'
import { type FoundOperation, findOperations, operationNames, writtenNames } from './found-operations.js'
import { breakRecursion, checkFinite } from './recursion.js'
import { rpcPathOf, unreachedOf } from './routes.js'
import { authenticationErrors, credentialsOf, readSecurity, readSecuritySchemes } from './security.js'
import { readBasePath } from './servers.js'
import { originsOf, sortedMap, sourceAt } from './sources.js'
import { checkTools, readTool, readToolBytes } from './tool.js'

/**
 * The model of a loaded document. Does not depend on the order of the document's keys. No model if a
 * diagnostic is an error.
 *
 * @param before a version that shares operations; those are not read again
 * @param int64 the TypeScript type of int64 and uint64 integers
 */
export function buildModel(
  document: Document,
  naming: Naming = {},
  before?: Before,
  int64: Int64 = 'number',
): { model?: Model; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const components = readComponents(document, diagnostics, int64)
  breakRecursion(components, document, diagnostics)
  const reading: Reading = {
    document,
    diagnostics,
    components,
    schemes: readSecuritySchemes(document, diagnostics),
    errors: readErrors(document, diagnostics),
    parameters: new Map(),
  }
  const found = findOperations(document)
  const unreached = unreachedOf(found, document, diagnostics)
  const rpcPath = rpcPathOf(found, document, diagnostics)
  const names = operationNames(document, found, naming, diagnostics)
  const clean = new Map<string, Draft>()
  const known = before && cleanDrafts.get(before.model)
  const read = found.map((entry, index) => {
    const [name, routed, count] = [names[index] ?? '', !unreached.has(entry), diagnostics.length]
    const { pointer } = entry.operation
    const same = known?.get(pointer)
    const draft =
      same === undefined || !before?.hasSame(entry)
        ? readOperation(reading, entry, name, routed)
        : { ...same, ...namesOf(name, entry), routed, source: sourceAt(document, pointer) }
    if (diagnostics.length === count) clean.set(pointer, draft)
    return draft
  })
  checkTools(document, read, diagnostics)
  const webhooks = readWebhooks(
    document,
    components,
    found.map(({ operation }, index) => ({ name: names[index] ?? '', operation })),
  )
  breakRecursion(components, document, diagnostics)
  checkFinite(components, document, diagnostics)
  const { schemas, rounded } = components
  checkInt64Values(rounded, schemas, document, diagnostics)
  const settle = settleDefaults(schemas)
  const drafts = read.map((draft): Draft => {
    const params = settle(draft.params)
    return { ...draft, ...(isObject(params) && { params }), result: settle(draft.result) }
  })
  if (diagnostics.some((diagnostic) => diagnostic.severity === 'error')) return { diagnostics }
  const finder = datetimeFinder(components.schemas)
  const files = binaryFinder(components.schemas)
  const integerFinder = int64 === 'number' ? int64NumberFinder : int64Finder
  const integers = { as: int64, finder: integerFinder(components.schemas) }
  const operations = drafts
    .map((draft) => operationOf(draft, finder, files, integers))
    .sort((a, b) => compareText(a.name, b.name))
  keepOrder(operations, writtenNames(document, found, names))
  const toolBytes = readToolBytes(document, diagnostics)
  const frame = { int64, naming: naming.strategy ?? 'operationId', rpcPath, webhooks, toolBytes }
  const model = modelOf(reading, frame, found, drafts, operations)
  // A component's copy for multipart bodies belongs to one model.
  if (components.uploads.size === 0) cleanDrafts.set(model, clean)
  return { model, diagnostics }
}

/** An older version, and whether one of its operations is exactly the same, with all that it refers to. */
export interface Before {
  readonly model: Model
  readonly hasSame: (found: Pick<FoundOperation, 'pathItem' | 'operation'>) => boolean
}

/**
 * Operations that were read without a diagnostic, by their pointers. Besides the parts that `hasSame`
 * compares, an operation only depends on clashes of names in the whole document, and each clash has a
 * diagnostic.
 */
const cleanDrafts = new WeakMap<Model, ReadonlyMap<string, Draft>>()

/** State shared between all operations while reading. */
interface Reading extends ParameterReading {
  readonly schemes: Model['securitySchemes']
  readonly errors: Model['errors']
}

type Draft = Omit<Operation, Derived> & { readonly readExamples: () => Operation['examples'] }

/** Parts that are computed on first use: a comparison rarely needs them. */
type Derived = 'datetimes' | 'binaries' | 'int64' | 'int64Numbers' | 'examples'

const idempotent = new Set(['delete', 'get', 'head', 'options', 'put', 'query', 'trace'])

function readOperation(reading: Reading, found: FoundOperation, name: string, routed: boolean): Draft {
  const { document, components, diagnostics, schemes } = reading
  const { path, query, verb, operation } = found
  const security = readSecurity(document, schemes, operation, diagnostics)
  const credentials = credentialsOf(schemes, security)
  const title = `${verb.toUpperCase()} ${path}`
  const declared = readParameters(reading, credentials, found)
  const isNamed = new Set(declared.map(({ field }) => field.param)).size === declared.length
  const named =
    isNamed || usesRpcExtensions(document)
      ? declared
      : namedByPlace(components.schemas, title, declared, diagnostics)
  const parameters = withFreeForm(components.schemas, title, named, diagnostics)
  const declaredBody = member(operation, 'requestBody')
  const requestBody = declaredBody && follow(document, declaredBody)
  const merging: Diagnostic[] = []
  const params = mergeParams(document, components, title, parameters, requestBody, merging)
  const { properties } = params.schema
  if (isObject(properties)) keepOrder(properties, [...writtenParams(declared, parameters), ...params.written])
  diagnostics.push(...merging.map((one) => ({ ...one, pointer: operation.pointer })))
  const result = readResult(document, components, operation)
  const also = authenticationErrors(schemes, security)
  const draft: Omit<Draft, 'tool'> = {
    ...namesOf(name, found),
    ...(text(operation.value, 'x-rpc-method') !== undefined && { isNameStated: true }),
    operationId: text(operation.value, 'operationId'),
    summary: text(operation.value, 'summary'),
    description: text(operation.value, 'description'),
    rest: {
      method: verb.toUpperCase() as Method,
      path,
      ...(query !== undefined && { query }),
      parameters: [
        ...parameters.map((parameter) => parameter.binding),
        ...(verb === 'get' || verb === 'head' ? queryBindings(components.schemas, parameters, params) : []),
      ].sort(compareBindings),
      ...(params.body !== undefined && { body: params.body }),
      status: result.status,
      ...(result.statuses !== undefined && { statuses: result.statuses }),
      ...(result.emptyStatus !== undefined && { emptyStatus: result.emptyStatus }),
      ...(result.bare !== undefined && { bare: result.bare }),
      ...(result.headers !== undefined && { headers: result.headers.bindings }),
      ...(result.answers !== undefined && { answers: result.answers }),
      ...(result.jsonType !== undefined && { jsonType: result.jsonType }),
      ...(result.jsonContents !== undefined && { jsonTypes: result.jsonContents.map(({ type }) => type) }),
      ...(result.entityTag !== undefined && { entityTag: result.entityTag }),
    },
    routed,
    params: params.schema,
    bodyBase: params.base,
    result: result.schema,
    jsonContents: result.jsonContents,
    pieces: result.pieces,
    headers: result.headers?.schema,
    byStatus: result.byStatus,
    errors: operationErrors(document, reading.errors, operation, also, diagnostics),
    failures: readFailures(document, components, reading.errors, operation),
    security,
    idempotent: idempotent.has(verb),
    idempotencyKey: parameters.map(({ binding }) => binding).find(isIdempotencyKey)?.param,
    deprecation: readDeprecation(document, operation, diagnostics),
    stability: text(operation.value, 'x-stability-level'),
    provenance: provenanceOf(text(operation.value, 'x-provenance')),
    readExamples: () => readExamples(document, parameters, requestBody, params.body, params.schema, result),
    source: sourceAt(document, operation.pointer),
  }
  const { schemas } = components
  return { ...draft, tool: readTool({ document, schemas, diagnostics }, operation, draft) }
}

function namesOf(name: string, { operation }: FoundOperation) {
  const parts = name.split('.')
  return {
    name,
    namespace: parts.length > 1 ? parts.slice(0, -1).join('.') : 'default',
    member: parts.at(-1) ?? name,
    rpc: member(operation, 'x-rpc-method')?.value === false ? (false as const) : name,
  }
}

function operationOf(
  { readExamples: made, ...draft }: Draft,
  finder: ReturnType<typeof datetimeFinder>,
  files: ReturnType<typeof binaryFinder>,
  integers: Int64Finder,
): Operation {
  const known: { -readonly [name in Derived]?: Operation[name] } = {}
  return {
    ...draft,
    get datetimes() {
      known.datetimes ??= datetimesOf(finder, draft)
      return known.datetimes
    },
    get binaries() {
      if (!Object.hasOwn(known, 'binaries')) known.binaries = files.find(draft.params)
      return known.binaries
    },
    get int64() {
      if (!Object.hasOwn(known, 'int64')) known.int64 = int64Of(integers, draft)
      return known.int64
    },
    get int64Numbers() {
      if (!Object.hasOwn(known, 'int64Numbers')) known.int64Numbers = int64NumbersOf(integers, draft)
      return known.int64Numbers
    },
    get examples() {
      known.examples ??= made()
      return known.examples
    },
  }
}

function provenanceOf(value: string | undefined): Provenance | undefined {
  return value === 'stated' || value === 'inferred' || value === 'assumed' ? value : undefined
}

function datetimesOf(
  finder: ReturnType<typeof datetimeFinder>,
  draft: Pick<Draft, 'params' | 'result' | 'pieces'>,
): Operation['datetimes'] {
  const params = finder.find(draft.params)
  const result = finder.find(draft.result)
  const piece = draft.pieces === undefined ? undefined : finder.find(draft.pieces)
  return {
    ...(params !== undefined && { params }),
    ...(result !== undefined && { result }),
    ...(piece !== undefined && { piece }),
  }
}

function modelOf(
  { document, diagnostics, components, errors, schemes }: Reading,
  frame: Pick<Model, 'int64' | 'naming' | 'rpcPath' | 'toolBytes' | 'webhooks'>,
  found: readonly FoundOperation[],
  drafts: readonly Draft[],
  operations: readonly Operation[],
): Model {
  const info = own(document.root, 'info') ?? null
  const errorMembers = readErrorMembers(document, components, errors)
  let canonicalRoot: JsonObject | undefined
  const methodAt = new Map(found.map((entry, index) => [entry.operation.value, drafts[index]?.rpc ?? false]))
  return {
    title: text(info, 'title') ?? 'API',
    version: text(info, 'version') ?? '0.0.0',
    description: text(info, 'description'),
    basePath: readBasePath(
      document,
      found.flatMap(({ pathItem, operation }) => [pathItem, operation]),
      diagnostics,
    ),
    ...frame,
    operations,
    schemas: sortedMap(components.schemas),
    sources: sortedMap(
      [...components.pointers].map(([name, pointer]) => [name, sourceAt(document, pointer)]),
    ),
    errors: withInt64(errors, errorMembers, frame.int64, components.schemas),
    errorMembers,
    securitySchemes: schemes,
    origins: {
      errors: originsOf(document, ['x-errors'], errors),
      securitySchemes: originsOf(document, ['components', 'securitySchemes'], schemes),
    },
    get openapi() {
      // A comparison of versions never needs it.
      canonicalRoot ??= canonicalDocument(withMethods(document.root, methodAt))
      return canonicalRoot
    },
  }
}

/** The document with `x-rpc-method` on every operation. */
function withMethods(root: JsonObject, methodAt: ReadonlyMap<Json, string | false>): JsonObject {
  const paths = own(root, 'paths')
  if (!isObject(paths)) return root
  const named = Object.entries(paths).map(([path, item]): [string, Json] => {
    if (!isObject(item)) return [path, item]
    const entries = Object.entries(item).map(([key, value]): [string, Json] => {
      const method = methodAt.get(value)
      return [key, isObject(value) && method !== undefined ? { ...value, 'x-rpc-method': method } : value]
    })
    return [path, objectOf(entries)]
  })
  return { ...root, paths: objectOf(named) }
}
