const leaves = [
  null,
  true,
  false,
  0,
  1,
  2,
  3,
  1.5,
  -1,
  0.5,
  4,
  6,
  10,
  0.3,
  '',
  'a',
  'b',
  'ab',
  'ba',
  'aa',
  'aab',
  'abc',
  '😀',
]

/** Small values of all kinds. */
export const universe = [
  ...leaves,
  ...arrays([null, true, 0, 1, 2, 'a', 'b', [], [1], {}], 2),
  ...arrays([0, 1, 2, 'a'], 3),
  ...arrays([1, 'a'], 5),
  ...arrays([[], [null], [1], ['a', null], [1, 1]], 2),
  ...objects(['a', 'b'], [undefined, [], [null], ['a', null]]),
  ...objects(['a', 'b', 'ab'], [undefined, null, 0, 1, 2, 'a', [1]]),
  ...objects(['', 'a', 'b', 'aa', 'ba', 'x'], [undefined, 1, 'a']),
  ...objects(['a', 'b'], [undefined, {}, { a: 1 }, { b: 1 }, { a: {} }, { a: 1, b: 'a' }, [1, 2], [[]]]),
]

/** Values near the constants, numbers and texts of two schemas, and one step from each. */
export function near(schemas) {
  const found = new Map()
  const add = (value) => {
    if (found.size < 400) found.set(JSON.stringify(value), value)
  }
  const visit = (value) => {
    if (typeof value === 'object' && value !== null) {
      add(value)
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) add(key)
        visit(member)
      }
    } else step(value)
  }
  const step = (value) => {
    add(value)
    if (typeof value === 'number') for (const by of [1, -1, 0.5, 0.125]) add(value + by)
    if (typeof value === 'number' && value >= 0 && value <= 6) {
      add('a'.repeat(value))
      add('a'.repeat(value + 1))
      add(Array(Math.floor(value)).fill(1))
      add(Array.from({ length: Math.floor(value) + 1 }, (_, i) => i))
    }
    if (typeof value === 'string') for (const next of [`${value}a`, `b${value}`, value.slice(1)]) add(next)
  }
  for (const schema of schemas) visit(schema)
  return [...found.values()]
}

/** A value with one part removed, doubled, or replaced. */
export function mutated(value, random) {
  if (random.once(4) || typeof value !== 'object' || value === null) return random.pick(leaves)
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1)
    const copy = [...value]
    const [item] = value
    if (random.once(3)) copy.splice(at, 1)
    else if (random.once(2)) copy.splice(at, 0, item ?? random.pick(leaves))
    else copy[at] = mutated(copy[at], random)
    return copy
  }
  const keys = Object.keys(value)
  const key = random.pick([...keys, 'a', 'b', 'ab', 'x'])
  const { [key]: member, ...rest } = value
  return random.once(3) ? rest : { ...value, [key]: mutated(member, random) }
}

function arrays(items, longest) {
  const all = [[]]
  for (const list of all) if (list.length < longest) for (const item of items) all.push([...list, item])
  return all
}

function objects(keys, members) {
  const made = [{}]
  for (const key of keys)
    for (const one of [...made])
      for (const member of members) if (member !== undefined) made.push({ ...one, [key]: member })
  return made
}
