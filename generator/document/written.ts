import type { Document, Json } from './document.js'

/** A number, true or false as the document's file has it: 1.0 where the value is 1. */
export function writtenText(document: Document, pointer: string, value: Json): string {
  const { file, line, column } = document.locate(pointer)
  const text = document.files.find((input) => input.path === file)?.text ?? ''
  const member = text.split(/\r\n?|\n/)[line - 1]?.slice(column - 1)
  const found = /^[^:\s]+\s*:\s*([^\s,\]}]+)/.exec(member ?? '')?.[1]
  return found !== undefined && Number(found) === value ? found : String(value)
}
