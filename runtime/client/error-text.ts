import { isJsonObject } from '../values/object.js'

/** Usual names of the text for people in an error body, the most telling first. */
const names = ['message', 'detail', 'text', 'description', 'error_description', 'title', 'error']

/** The most characters of an error's message. */
const longest = 500

/** Maximum of members that are read of an array or object. */
const mostMembers = 20

/**
 * The text of an error body in the document's own format: the first text with a usual name in the body, else in a
 * member or the first item of a list. Undefined if there is none.
 */
export function errorText(body: unknown): string | undefined {
  if (typeof body === 'string') return shortened(body)
  if (!isJsonObject(body)) return undefined
  const members = Object.values(body).slice(0, mostMembers)
  const inner = members.map((member: unknown) => (Array.isArray(member) ? member[0] : member))
  for (const holder of [body, ...inner.filter(isJsonObject)]) {
    for (const name of names) {
      const text = Object.hasOwn(holder, name) ? holder[name] : undefined
      if (typeof text === 'string' && text.trim() !== '') return shortened(text)
    }
  }
  return undefined
}

function shortened(text: string): string {
  const start = text.slice(0, longest).trim().replaceAll(/\s+/g, ' ')
  return text.length > longest ? `${start}…` : start
}
