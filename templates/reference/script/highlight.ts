import { element, isolated } from './element.js'

/** Longest text with colours: each piece is an element. */
const mostCharacters = 20_000

/** Colours names, texts, numbers and words in code. The text stays the same. */
export function highlight(code: HTMLElement): void {
  const text = code.textContent ?? ''
  if (text.length > mostCharacters) return
  const parts: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(pieces)) {
    const [piece] = match
    const kind = kindOf(match.groups ?? {}, text.slice(match.index + piece.length))
    if (kind === undefined) continue
    parts.push(
      ...isolated(text.slice(end, match.index)),
      element('span', { class: `code-${kind}` }, ...isolated(piece)),
    )
    end = match.index + piece.length
  }
  parts.push(...isolated(text.slice(end)))
  code.replaceChildren(...parts)
}

const words =
  'await|const|curl|defer|export|False|for|from|func|if|import|let|new|nil|None|null|of|package|return|true|True|false|' +
  'var|GET|POST|PUT|PATCH|DELETE|npm'
const pieces = new RegExp(
  [
    String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60[^\x60]*\x60)`,
    String.raw`(?<quiet>^\s*(?:#|//).*$|\\$)`,
    String.raw`(?<option>(?<=\s)--?[A-Za-z][\w-]*)`,
    String.raw`(?<name>\$[A-Z_]+|^[A-Za-z-]+(?=: ))`,
    String.raw`(?<number>\b-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)`,
    String.raw`(?<word>\b(?:${words})\b)`,
  ].join('|'),
  'gm',
)

function kindOf(
  { text, quiet, option, name, number, word }: Partial<Record<string, string>>,
  after: string,
): string | undefined {
  if (text !== undefined) return /^\s*:/.test(after) ? 'name' : 'text'
  if (quiet !== undefined) return 'quiet'
  if (name !== undefined || option !== undefined) return 'name'
  if (number !== undefined) return 'number'
  return word === undefined ? undefined : 'word'
}
