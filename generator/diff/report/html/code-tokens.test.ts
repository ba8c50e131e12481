import { expect, it } from 'vitest'
import { type CodeToken, jsonTokens, shellTokens } from './code-tokens.js'

const marked = (tokens: readonly CodeToken[]): string =>
  tokens.map(({ kind, text }) => (kind === undefined ? text : `<${kind} ${text}>`)).join('')

it('colours JSON, and expressions that build it', () => {
  expect(marked(jsonTokens('{"a\\"b": ["x", -1.5e3, true], "c": "a".repeat(300)}'))).toBe(
    '{<name "a\\"b">: [<text "x">, <value -1.5e3>, <value true>], <name "c">: <text "a">.repeat(<value 300>)}',
  )
})

it('colours a command line, with the JSON that it sends', () => {
  const command = `curl -X PUT "$BASE_URL/a" \\\n  -H 'A: it'\\''s' \\\n  --data-raw '{"a":1}'`
  expect(marked(shellTokens(command))).toBe(
    `curl <option -X> PUT <text "><variable $BASE_URL><text /a"> \\\n  <option -H> <text 'A: it'><text \\'><text 's'> \\\n  <option --data-raw> '{<name "a">:<value 1>}'`,
  )
})

it.each([
  ['{"unclosed', jsonTokens],
  [`curl 'unclosed "x`, shellTokens],
  ['', shellTokens],
])('loses nothing of %s', (code, tokens) => {
  expect(
    tokens(code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code)
})
