import fc from 'fast-check'
import { type Node, parseTree } from 'jsonc-parser'
import { expect, it } from 'vitest'
import { JsonIndex } from './json-index.js'

/** The paths of a text's members and elements, with the offsets of their keys or values. */
function placesOf(node: Node | undefined, path: readonly string[] = []): [string[], number][] {
  return (node?.children ?? []).flatMap((child, number): [string[], number][] => {
    const isMember = child.type === 'property'
    const inner = [...path, isMember ? String(child.children?.[0]?.value) : String(number)]
    return [[inner, child.offset], ...placesOf(isMember ? child.children?.[1] : child, inner)]
  })
}

it('finds every key and element at the same position as a tree parser', () => {
  const text = fc
    .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'))
    .map(([value, space]) => ` ${JSON.stringify(value, undefined, space)}\n`)
  fc.assert(
    fc.property(text, (text) => {
      const index = new JsonIndex(text)
      for (const [path, offset] of placesOf(parseTree(text))) expect(index.offsetAt(path)).toBe(offset)
    }),
  )
})

it('gives a missing part the position of its nearest ancestor', () => {
  const index = new JsonIndex('{ "a": [1, { "b": 2 }], "c": "{" }')
  expect(index.offsetAt([])).toBe(0)
  expect(index.offsetAt(['a', '1', 'x'])).toBe(11)
  expect(index.offsetAt(['a', '7'])).toBe(2)
  expect(index.offsetAt(['c', 'd'])).toBe(24)
})

it('counts duplicate members, and no colon within a text', () => {
  expect(new JsonIndex('{ "a:b": ":", "a:b": { "\\"c\\\\": 1 } }').members).toBe(3)
})
