/** A piece of code in one colour. Without a kind it is plain. */
export interface CodeToken {
  readonly kind?: 'name' | 'text' | 'value' | 'option' | 'variable'
  readonly text: string
}

/** JSON, or an expression that builds it, as coloured pieces. */
export function jsonTokens(code: string): CodeToken[] {
  return tokensOf(code, jsonPattern, ({ text, name, value }) =>
    name !== undefined ? 'name' : text !== undefined ? 'text' : value !== undefined ? 'value' : undefined,
  )
}

const jsonPattern =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<value>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/g

/** A command line as coloured pieces. JSON in quotes is coloured as JSON. */
export function shellTokens(code: string): CodeToken[] {
  return tokensOf(code, shellPattern, ({ escaped, single, double, option, variable }) =>
    (escaped ?? single ?? double) !== undefined
      ? 'text'
      : option !== undefined
        ? 'option'
        : variable !== undefined
          ? 'variable'
          : undefined,
  ).flatMap((token) => (token.kind === 'text' ? quotedTokens(token.text) : [token]))
}

const shellPattern =
  /(?<escaped>\\['"\\])|(?<single>'[^']*')|(?<double>"(?:[^"\\]|\\.)*")|(?<option>(?<=\s)--?[A-Za-z][\w-]*)|(?<variable>\$\{?\w+\}?)/g

function quotedTokens(text: string): CodeToken[] {
  const inner = text.slice(1, -1)
  if (text.startsWith('\\')) return [{ kind: 'text', text }]
  if (text.startsWith("'"))
    return /^[[{]/.test(inner)
      ? [{ text: "'" }, ...jsonTokens(inner), { text: "'" }]
      : [{ kind: 'text', text }]
  return tokensOf(text, /(?<variable>\$\{?\w+\}?)/g, ({ variable }) =>
    variable === undefined ? undefined : 'variable',
  ).map((token) => (token.kind === undefined ? { kind: 'text', text: token.text } : token))
}

type Groups = Readonly<Record<string, string | undefined>>

function tokensOf(code: string, pattern: RegExp, kindOf: (groups: Groups) => CodeToken['kind']): CodeToken[] {
  const tokens: CodeToken[] = []
  let from = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(pattern)) {
    if (index > from) tokens.push({ text: code.slice(from, index) })
    const kind = kindOf(groups)
    tokens.push(kind === undefined ? { text } : { kind, text })
    from = index + text.length
  }
  return from < code.length ? [...tokens, { text: code.slice(from) }] : tokens
}
