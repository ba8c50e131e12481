import { keyText, stringText } from '../code/literal.js'
import { nodesIn, ts } from './workspace.js'

/** How a file is formatted, so that inserted code looks the same. */
export interface Style {
  readonly eol: string
  /** One level of indentation. */
  readonly indent: string
  readonly quote: "'" | '"'
  readonly semicolons: boolean
}

export const defaultStyle: Style = { eol: '\n', indent: '  ', quote: "'", semicolons: false }

/** The style of most of a file. `fallback`: for what it does not show. */
export function styleOf(source: ts.SourceFile, fallback: Style = defaultStyle): Style {
  const { text } = source
  const breaks = text.match(/\r?\n/g) ?? []
  const windows = breaks.filter((mark) => mark === '\r\n').length
  const quotes = { "'": 0, '"': 0 }
  let [ended, open] = [0, 0]
  for (const node of nodesIn(source)) {
    if (ts.isStringLiteral(node)) {
      const mark = text[node.getStart(source)]
      if (mark === "'" || mark === '"') quotes[mark] += 1
    }
    if (endsWithSemicolon(node) && text[node.end - 1] === ';') ended += 1
    else if (endsWithSemicolon(node)) open += 1
  }
  return {
    eol: breaks.length === 0 ? fallback.eol : windows * 2 > breaks.length ? '\r\n' : '\n',
    indent: indentOf(text) ?? fallback.indent,
    quote: quotes["'"] === quotes['"'] ? fallback.quote : quotes["'"] > quotes['"'] ? "'" : '"',
    semicolons: ended === open ? fallback.semicolons : ended > open,
  }
}

/** Indents code of two spaces in a style. The first line gets no indentation, the others get `base`. */
export function styled(code: string, style: Style, base = ''): string {
  return code
    .split('\n')
    .map((line, index) => {
      const [spaces = ''] = /^ */.exec(line) ?? []
      const body = line.slice(spaces.length)
      // One space more than a level's multiple belongs to a block comment's asterisk.
      const depth = style.indent.repeat(Math.floor(spaces.length / 2)) + ' '.repeat(spaces.length % 2)
      return body === '' ? '' : (index === 0 ? '' : base) + depth + body
    })
    .join(style.eol)
}

/** A string literal in a style's quotes. */
export function quoted(text: string, { quote }: Style): string {
  const single = stringText(text)
  if (!single.startsWith("'")) return single
  return quote === "'" || text.includes('"') ? single : `"${single.slice(1, -1)}"`
}

/** A property key in a style's quotes. */
export function styledKey(name: string, style: Style): string {
  const key = keyText(name)
  return key === stringText(name) ? quoted(name, style) : key
}

function endsWithSemicolon(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExpressionStatement(node) ||
    ts.isVariableStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node)
  )
}

/** The most frequent difference in indentation between a line and the line before. */
function indentOf(text: string): string | undefined {
  const steps = new Map<string, number>()
  let previous = ''
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || /^\s*\*/.test(line)) continue
    const [space = ''] = /^[ \t]*/.exec(line) ?? []
    if (space.startsWith(previous) && space !== previous) {
      const step = space.slice(previous.length)
      steps.set(step, (steps.get(step) ?? 0) + 1)
    }
    previous = space
  }
  return [...steps].sort((a, b) => b[1] - a[1])[0]?.[0]
}
