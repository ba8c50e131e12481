import { editOne, slotsIn, textsOfScalars } from './edits.mjs'
import {
  headerNames,
  mediaTypes,
  methods,
  parameter,
  part,
  paths,
  sound,
  statuses,
  tables,
} from './operations.mjs'

/**
 * A copy of a document with one edit per seed, and the names of the edits. Edits whose name begins with `same`
 * change nothing for callers.
 */
export function editedDocument(document, seeds, makeRandom) {
  let copy = document
  const names = seeds.map((seed) => {
    // What an edit adds belongs to the tables. The next edit must not change it there.
    copy = structuredClone(copy)
    const random = makeRandom(seed)
    for (;;) {
      const name = editOnce(copy, random)
      if (name !== undefined) return name
    }
  })
  return { document: copy, names }
}

function editOnce(document, random) {
  const parts = [...partsOf(document)]
  const slots = parts.flatMap(({ node }) => ('schema' in node ? [...slotsIn(node, 'schema')] : []))
  const shared = document.components.schemas
  const components = Object.keys(shared).flatMap((name) => [...slotsIn(shared, name)])
  const chance = random.below(10)
  if (chance < 2) return slots.length === 0 ? undefined : `schema ${editOne(slots, random, shared)}`
  if (chance === 2) return `component ${editOne(components, random, shared)}`
  if (chance === 3) return same(document, random)
  if (chance === 4 || chance === 5) return textsOfScalars(slots, random) ? 'texts of scalars' : undefined
  const found = random.pick(parts)
  const edit = random.pick([member, member, entry])
  return edit(found, random)
}

/** Every part of a document that the tables describe. */
function* partsOf(document) {
  yield { kind: 'document', node: document, maps: [[document.paths, paths]] }
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      yield {
        kind: 'operation',
        node: operation,
        list: operation.parameters,
        maps: [
          [item, methods],
          [operation.responses, statuses, 'response'],
        ],
      }
      for (const node of operation.parameters) yield { kind: 'parameter', node, maps: [] }
      if (operation.requestBody !== undefined) {
        yield {
          kind: 'requestBody',
          node: operation.requestBody,
          maps: [[operation.requestBody.content, mediaTypes.request, 'media']],
        }
        yield* mediaOf(operation.requestBody)
      }
      for (const response of Object.values(operation.responses)) {
        const { content, headers } = response
        const maps = [
          [content, mediaTypes.response, 'media'],
          [headers, headerNames, 'header'],
        ]
        yield { kind: 'response', node: response, maps: maps.filter(([map]) => map !== undefined) }
        for (const node of Object.values(headers ?? {})) yield { kind: 'header', node, maps: [] }
        yield* mediaOf(response)
      }
    }
}

function* mediaOf({ content = {} }) {
  for (const node of Object.values(content)) {
    yield {
      kind: 'media',
      node,
      maps: node.encoding === undefined ? [] : [[node.encoding, ['a', 'b', 'c'], 'encoding']],
    }
    for (const encoding of Object.values(node.encoding ?? {}))
      yield { kind: 'encoding', node: encoding, maps: [] }
  }
}

/** Replaces one member, or removes it. */
function member({ kind, node }, random) {
  const names = Object.keys(tables[kind]).filter(
    (name) => !(node.in === 'path' && (name === 'in' || name === 'name' || name === 'required')),
  )
  const name = random.pick(names)
  const value = tables[kind][name](random)
  // A parameter has a schema or a content.
  if (node.content !== undefined && name === 'schema') delete node.content
  if (JSON.stringify(value) === JSON.stringify(node[name])) return undefined
  if (value === undefined) delete node[name]
  else node[name] = value
  if (kind === 'parameter' && node.style !== sound(node).style) delete node.style
  return `${kind} ${name}`
}

/** Adds, removes or renames an entry of a map or a list. */
function entry({ maps, list }, random) {
  if (list !== undefined && random.once(2)) {
    if (random.once(2)) list.splice(random.below(list.length + 1), 0, parameter(random))
    else if (list.length === 0) return undefined
    else list.splice(random.below(list.length), 1)
    return 'parameters'
  }
  if (maps.length === 0) return undefined
  const [map, names, kind] = random.pick(maps)
  const name = random.pick(Object.keys(map))
  const other = random.pick(names)
  if (random.once(3) && kind !== undefined) {
    if (Object.hasOwn(map, other)) return undefined
    map[other] = part(kind, random)
    return `${kind} added`
  }
  if (name === undefined || Object.hasOwn(map, other)) return undefined
  const { [name]: value } = map
  if (random.once(2) || kind === undefined) {
    renamed(map, name, other)
    return `${kind ?? 'path'} called otherwise`
  }
  if (value === undefined) return undefined
  delete map[name]
  return `${kind} removed`
}

/** In place, because the order of paths and media types counts. */
function renamed(map, name, other) {
  const entries = Object.entries(map)
  for (const [key] of entries) delete map[key]
  for (const [key, value] of entries) map[key === name ? other : key] = value
}

const defaultStyles = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' }

/** Whether a schema has keywords next to its `$ref`, which 3.0 ignores. */
function hasMoreThanReference(value) {
  if (typeof value !== 'object' || value === null) return false
  const isMore = typeof value.$ref === 'string' && Object.keys(value).length > 1
  return isMore || Object.values(value).some(hasMoreThanReference)
}

/** Writes the same in other words. */
function same(document, random) {
  const operations = Object.values(document.paths).flatMap(Object.values)
  const operation = random.pick(operations)
  const index = random.below(operation.parameters.length)
  const found = operation.parameters[index]
  const respelled = {
    version: () => {
      // In 3.0 `byte` only describes the content, which validators ignore, and `nullable` needs a type.
      if (/"(byte|nullable)"/.test(JSON.stringify(document)) || hasMoreThanReference(document)) return false
      document.openapi = random.pick(['3.0.3', '3.1.1', '3.2.0'].filter((one) => one !== document.openapi))
      return true
    },
    style: () => {
      if (found?.schema === undefined || found.style !== undefined) return false
      found.style = defaultStyles[found.in]
      return true
    },
    explode: () => {
      if (found?.schema === undefined || found.explode !== undefined) return false
      found.explode = (found.style ?? defaultStyles[found.in]) === 'form'
      return true
    },
    required: () => {
      if (found === undefined || found.required !== undefined) return false
      found.required = false
      return true
    },
    order: () => {
      operation.parameters.reverse()
      return true
    },
    wording: () => {
      operation.summary = 'Does something else'
      return true
    },
  }
  const name = random.pick(Object.keys(respelled))
  return respelled[name]() ? `same ${name}` : undefined
}
