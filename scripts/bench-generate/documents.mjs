// Documents that the benchmark derives from a given one.

/** @typedef {{ [key: string]: any }} Json */

/** The prefix of references to a document's own components. */
const components = '#/components/'

/**
 * The document with a second copy of every path and component under other names.
 * @param {Json} document @returns {Json}
 */
export function doubled(document) {
  const sections = Object.entries(document.components ?? {}).map(([section, members]) => {
    const named = Object.entries(members)
    if (section === 'securitySchemes') return [section, members]
    const copies = named.map(([name, value]) => [`${name}${copyMark}`, renamed(value, '')])
    return [section, Object.fromEntries([...named, ...copies])]
  })
  const paths = Object.entries(document.paths)
  const copies = paths.map(([path, item]) => [`/second-copy${path}`, renamed(item, '')])
  return {
    ...document,
    paths: Object.fromEntries([...paths, ...copies]),
    components: Object.fromEntries(sections),
  }
}

/**
 * The document with one more optional query parameter on the operation in its middle.
 * @param {Json} document @returns {Json}
 */
export function withOneChange(document) {
  const copy = structuredClone(document)
  const operations = Object.values(copy.paths).flatMap((item) =>
    ['get', 'put', 'post'].flatMap((verb) => item[verb] ?? []),
  )
  const operation = operations[operations.length >> 1]
  // If a document has provenance anywhere, it must have it everywhere.
  const provenance = operation['x-provenance'] === undefined ? {} : { 'x-provenance': 'assumed' }
  const parameter = {
    name: 'bench_added',
    in: 'query',
    schema: { type: 'integer', minimum: 1 },
    ...provenance,
  }
  operation.parameters = [...(operation.parameters ?? []), parameter]
  return copy
}

const copyMark = '-second-copy'

/**
 * Renames references, operationIds and RPC names for the second copy.
 * @param {any} value @param {string} key @returns {any}
 */
function renamed(value, key) {
  if (Array.isArray(value)) return value.map((item) => renamed(item, ''))
  if (typeof value === 'string') {
    if (value.startsWith(components)) return reference(value)
    if (key === 'operationId' || key === 'x-rpc-method') return `${value}SecondCopy`
    return value
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member, name)]))
}

/** @param {string} text */
function reference(text) {
  const [section = '', name = '', ...rest] = text.slice(components.length).split('/')
  return section === 'securitySchemes'
    ? text
    : [`${components}${section}/${name}${copyMark}`, ...rest].join('/')
}
