import { isJsonObject } from '../../values/object.js'

/**
 * Reads the value of a precondition: the opaque text of one strong entity tag, without its quotation marks,
 * or `*` for any (RFC 9110 sections 8.8.3 and 13.1.1). Undefined for anything else: a weak tag, a list, a
 * bare text, and the tag `"*"`, which would look like `*`.
 */
export function readEntityTag(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === ANY) return ANY
  const opaque = STRONG.exec(trimmed)?.[1]
  return opaque === ANY ? undefined : opaque
}

/**
 * The header that {@link readEntityTag} reads back to this text; undefined for a text that no tag can have.
 */
export function entityTagText(opaque: string): string | undefined {
  if (opaque === ANY) return ANY
  const tag = `"${opaque}"`
  return STRONG.test(tag) ? tag : undefined
}

/**
 * The entity tag of a response whose result contains it.
 *
 * @param path names of the members that lead to it
 * @returns undefined if there is no such text, or one that no tag can have
 */
export function entityTagOf(result: unknown, path: readonly string[]): string | undefined {
  let found = result
  for (const name of path) {
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return typeof found === 'string' && found !== ANY ? entityTagText(found) : undefined
}

/**
 * Whether `If-Match` holds for a resource with this tag, or without one: it lists the tag by strong
 * comparison, or is `*` (RFC 9110 section 13.1.1). An undefined condition holds.
 */
export function isExpected(tag: string | undefined, condition: string | undefined): boolean {
  if (condition === undefined || condition.trim() === ANY) return true
  return tag !== undefined && !tag.startsWith(WEAK) && tagsIn(condition).includes(tag)
}

/** Whether `If-None-Match` lists a tag, by weak comparison, or is `*` (RFC 9110 section 13.1.2). */
export function isNamed(tag: string | undefined, condition: string | undefined): boolean {
  if (condition === undefined) return false
  if (condition.trim() === ANY) return true
  return tag !== undefined && tagsIn(condition).some((each) => opaqueOf(each) === opaqueOf(tag))
}

function tagsIn(condition: string): readonly string[] {
  return condition.match(TAGS) ?? []
}

function opaqueOf(tag: string): string {
  return tag.startsWith(WEAK) ? tag.slice(WEAK.length) : tag
}

const ANY = '*'

/** RFC 9110 section 8.8.3: `etagc` excludes quotation marks and white space. */
const STRONG = /^"([\x21\x23-\x7e\x80-\xff]*)"$/
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g
const WEAK = 'W/'
