import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** One of several expressions that together are equivalent to an expression with lookaround. */
export interface PatternPart {
  readonly source: string
  readonly negated: boolean
}

/**
 * Splits ^(?=A)(?!B)C and C(?<!D)$: words that begin with a match of A, do not begin with one of B, and so
 * on.
 *
 * Returns undefined for expressions of any other form.
 */
export function withoutLookaround(source: string): readonly PatternPart[] | undefined {
  if (!/\(\?<?[=!]/.test(source)) return undefined
  const [alternative, second] = parse(source)?.alternatives ?? []
  if (alternative === undefined || second !== undefined) return undefined
  const elements = [...alternative.elements]
  const parts: PatternPart[] = []
  const raw = (list: readonly AST.Node[]): string => list.map((one) => one.raw).join('')
  if (isAssertion(elements[0], 'start')) {
    let at = 1
    for (; isAssertion(elements[at], 'lookahead'); at++) parts.push(partOf(elements[at], '^(?:', ')'))
    elements.splice(1, at - 1)
  }
  if (isAssertion(elements.at(-1), 'end')) {
    let from = elements.length - 1
    for (; isAssertion(elements[from - 1], 'lookbehind'); from--)
      parts.push(partOf(elements[from - 1], '(?:', ')$'))
    elements.splice(from, elements.length - 1 - from)
  }
  if (parts.length === 0) return undefined
  parts.push({ source: raw(elements), negated: false })
  return parts.every((part) => parse(part.source) !== undefined) ? parts : undefined
}

function parse(source: string): AST.Pattern | undefined {
  try {
    return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, undefined, undefined, {
      unicode: true,
    })
  } catch {
    return undefined
  }
}

function isAssertion(element: AST.Element | undefined, kind: AST.Assertion['kind']): boolean {
  return element?.type === 'Assertion' && element.kind === kind
}

function partOf(element: AST.Element | undefined, before: string, after: string): PatternPart {
  if (element?.type !== 'Assertion' || (element.kind !== 'lookahead' && element.kind !== 'lookbehind'))
    throw new TypeError('not a lookaround')
  const inner = element.alternatives.map((alternative) => alternative.raw).join('|')
  return { source: before + inner + after, negated: element.negate }
}
