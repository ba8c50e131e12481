import type { YAMLParseError } from 'yaml'

/**
 * Offset of a line with too little indentation to continue a quoted text: the parser reports a missing quote
 * before it.
 */
export function outdentedLine({ message, pos: [at] }: YAMLParseError, text: string): number | undefined {
  if (!/^Missing closing ["']quote$/.test(message)) return undefined
  const next = text.slice(at).search(/\S/)
  return next === -1 ? undefined : at + next
}

export const outdentedText = {
  message: 'This is not YAML: the line continues a quoted text and needs more indentation',
  remedy: 'Indent the line by more than the key of the text, or close the quotes before it.',
} as const

/**
 * A key that is indented more than the key above, although that has a value: the parser takes the value and this line
 * for one key of several lines.
 */
export function indentedKey(
  { code, pos: [from, to] }: YAMLParseError,
  text: string,
): { readonly from: number; readonly key: string; readonly at: number } | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined
  const line = text.lastIndexOf('\n', to - 1) + 1
  const above = text.slice(text.lastIndexOf('\n', from - 1) + 1, from)
  const { indent = '', key = '' } = /^(?<indent> *)(?<key>.*)$/.exec(text.slice(line, to))?.groups ?? {}
  const isDeeper = line > from && indent.length > above.search(/[^ ]/)
  return isDeeper ? { from, key: key.trimEnd(), at: line + indent.length } : undefined
}

export const indentedText = {
  remedy: 'Indent both keys alike. If the line continues the text above, put the text in quotes.',
} as const

/** Messages that the parser phrases in terms of its own interface, or that need a special remedy. */
export const syntaxTexts: ReadonlyMap<string, { readonly message: string; readonly remedy: string }> =
  new Map([
    [
      'MULTIPLE_DOCS',
      {
        message: 'A second YAML document begins here',
        remedy: 'Keep one document in the file, without --- after it.',
      },
    ],
    ['TAB_AS_INDENT', { message: 'Tabs are not allowed as indentation', remedy: 'Indent with spaces.' }],
  ])
