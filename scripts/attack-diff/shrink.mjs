/** A pair of documents without everything that the fault does not need, and the fault that they still show. */
export async function shrunk(pair, shows, fault) {
  let least = pair
  let last = fault
  const tryIt = async (less) => {
    if (less.every((document, side) => document === least[side])) return false
    const found = await shows(less).catch(() => undefined)
    if (found === undefined) return false
    least = less
    last = found
    return true
  }
  for (let isLess = true; isLess; ) {
    isLess = false
    const paths = new Set(
      least.flatMap((document) => [...pathsIn(document)].map((path) => JSON.stringify(path))),
    )
    for (const text of paths) {
      const path = JSON.parse(text)
      // From both first, since a part of both is no change.
      if (await tryIt(least.map((document) => without(document, path)))) isLess = true
    }
    // For an edit that says the same, removing a part of one document would be another edit.
    for (const at of fault.kind === 'same' ? [] : [0, 1])
      for (const path of [...pathsIn(least[at])])
        if (await tryIt(least.map((document, side) => (side === at ? without(document, path) : document))))
          isLess = true
  }
  return [least, last]
}

/** Members, outer ones first. */
function* pathsIn(node, path = []) {
  if (typeof node !== 'object' || node === null) return
  const keys = Array.isArray(node) ? [...node.keys()].reverse() : Object.keys(node)
  for (const key of keys) if (!frame.has(key)) yield [...path, key]
  for (const key of keys) yield* pathsIn(node[key], [...path, key])
}

/** The parts that every document needs. */
const frame = new Set([
  'openapi',
  'info',
  'title',
  'version',
  'paths',
  'responses',
  'description',
  'schema',
  'name',
  'in',
])

function without(node, [key, ...rest]) {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return node
  if (Array.isArray(node) && rest.length === 0) return node.toSpliced(key, 1)
  if (rest.length > 0) {
    const inner = without(node[key], rest)
    if (inner === node[key]) return node
    return Array.isArray(node) ? node.with(key, inner) : { ...node, [key]: inner }
  }
  const { [key]: _, ...others } = node
  return others
}
