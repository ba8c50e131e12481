import { describe, expect, it } from 'vitest'
import type { DocumentPosition } from '../../change/change.js'
import { type Snippet, sideBySide } from './side-by-side.js'

function place(line: number, column = 1, pointer = '#/components/schemas/A'): DocumentPosition {
  return { pointer, file: 'a.yaml', line, column }
}

/** `12 text`, with marked pieces in brackets and a gap as `⋯`. */
function told(snippet: Snippet): string[] {
  return snippet.flatMap(({ number, afterGap, parts }) => [
    ...(afterGap ? ['⋯'] : []),
    `${number} ${parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')}`,
  ])
}

const lines = (text: string): string[] => text.split('\n')

describe('lines side by side', () => {
  it('are the position, the enclosing line, and the differences below', () => {
    const old = lines('A:\n  enum:\n    - a\n    - b\n    - c\n    - d\n    - e\n  type: string')
    const fresh = lines('A:\n  enum:\n    - a\n    - b\n    - c\n    - d\n    - e\n    - f\n  type: string')
    const found = sideBySide(place(2, 3), old, place(2, 3), fresh)
    expect(told(found.old)).toEqual(['1 A:', '2   enum:', '⋯', '7     - e'])
    expect(told(found.new)).toEqual(['1 A:', '2   enum:', '⋯', '7     - e', '8 [    - f]'])
  })

  it('mark the words that differ in a line', () => {
    const found = sideBySide(place(1), ['limit: { maximum: 1000 }'], place(1), ['limit: { maximum: 100 }'])
    expect(told(found.old)).toEqual(['1 limit: { maximum: [1000] }'])
    expect(told(found.new)).toEqual(['1 limit: { maximum: [100] }'])
  })

  it('are the first lines if the other version has none, marked from the position on', () => {
    const found = sideBySide(null, ['a:'], place(1), lines('a:\n  b: 1\nc:'))
    expect(found.old).toEqual([])
    expect(told(found.new)).toEqual(['1 [a:]', '2 [  b: 1]'])
  })

  it('omit the nested lines of an operation', () => {
    const text = lines('/a:\n  get:\n    operationId: a\n    responses:\n      200:\n        description: A')
    const found = sideBySide(null, undefined, place(2, 3, '#/paths/~1a/get'), text)
    expect(told(found.new)).toEqual(['1 /a:', '2 [  get:]', '3 [    operationId: a]', '4 [    responses:]'])
  })

  it('name the object in a JSON list that contains the position', () => {
    const text = lines(
      '"parameters": [\n  {\n    "in": "query",\n    "name": "sort",\n    "schema": {}\n  }\n]',
    )
    const found = sideBySide(null, undefined, place(5, 5), text)
    expect(told(found.new)).toEqual(['4 "name": "sort",', '5 ["schema": {}]'])
  })

  it('are cut around the position if a document is one line', () => {
    const text = `{"a":"${'x'.repeat(5000)}","limit":{"maximum":10}}`
    const column = text.indexOf('"limit"') + 1
    const found = sideBySide(null, undefined, place(1, column), [text])
    const [line = ''] = told(found.new)
    expect(line).toContain('"limit":{"maximum":10}')
    expect(line.length).toBeLessThan(200)
  })

  it('mark only what was added to a line, not what is around it', () => {
    const text = '{"a":{"type":"string"},"limit":{"enum":["a,}",2]},"z":1}'
    const found = sideBySide(null, undefined, place(1, text.indexOf('"limit"') + 1), [text])
    expect(told(found.new)).toEqual(['1 {"a":{"type":"string"},["limit":{"enum":["a,}",2]}],"z":1}'])
  })

  it('show where a line without text is left out', () => {
    const found = sideBySide(null, undefined, place(1), lines('a:\n  b: 1\n\n  c: 1'))
    expect(told(found.new)).toEqual(['1 [a:]', '2 [  b: 1]', '⋯', '4 [  c: 1]'])
  })

  it('of a member that one version lacks: nothing of its parent is marked', () => {
    const old = lines('A:\n  type: object\n  properties:\n    id: {}')
    const fresh = lines('A:\n  type: object\n  properties:\n    id: {}\n    email:\n      type: string')
    const [parent, member] = [place(1), place(5, 5, '#/components/schemas/A/properties/email')]
    const added = sideBySide(parent, old, member, fresh)
    expect(told(added.old)).toEqual(['1 A:', '2   type: object', '3   properties:', '4     id: {}'])
    expect(told(added.new)).toEqual(['3 properties:', '⋯', '5 [  email:]', '6 [    type: string]'])
    expect(sideBySide(member, fresh, parent, old)).toEqual({ old: added.new, new: added.old })
  })

  it('of a value that one version has elsewhere are marked there alone', () => {
    const found = sideBySide(place(1, 1, '#/a'), ['a: 1'], place(1, 1, '#/b'), ['b: 2'], 'new')
    expect([found.old, found.new].map(told)).toEqual([['1 a: 1'], ['1 [b: 2]']])
  })

  it('of long blocks are not marked where the other block may go on', () => {
    const items = Array.from({ length: 900 }, (_, index) => `  - ${index}`)
    const found = sideBySide(place(1), ['enum:', ...items], place(1), ['enum:', '  - new', ...items])
    expect(told(found.old).filter((line) => line.includes('['))).toEqual([])
    expect(told(found.new).filter((line) => line.includes('['))).toEqual(['2 [  - new]'])
  })

  it('are empty if there is no such line', () => {
    expect(sideBySide(place(9), ['a'], place(9), undefined)).toEqual({ old: [], new: [] })
  })
})
