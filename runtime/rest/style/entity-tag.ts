import { isJsonObject } from '../../values/object.js'

/**
 * What a precondition asks for: the opaque text of one strong entity tag, without its quotation marks, or `*`
 * for any (RFC 9110 sections 8.8.3 and 13.1.1). Undefined for anything else: a weak tag, a list, a bare text, and
 * the tag `"*"`, which would be taken for `*`.
 */
export function readEntityTag(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === ANY) return ANY
  const opaque = STRONG.exec(trimmed)?.[1]
  return opaque === ANY ? undefined : opaque
}

/** The header that {@link readEntityTag} reads a text from; undefined for a text that no tag can have. */
export function entityTagText(opaque: string): string | undefined {
  if (opaque === ANY) return ANY
  const tag = `"${opaque}"`
  return STRONG.test(tag) ? tag : undefined
}

/**
 * The entity tag of an answer whose result has it as a text.
 *
 * @param path names of the members that lead to it
 * @returns undefined where there is no such text, or one that no tag can have
 */
export function entityTagOf(result: unknown, path: readonly string[]): string | undefined {
  let found = result
  for (const name of path) {
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return typeof found === 'string' && found !== ANY ? entityTagText(found) : undefined
}

/**
 * Whether an `If-Match` is true of what has a tag, or none: it names it, for which neither may be weak, or any
 * (RFC 9110 section 13.1.1). Undefined is no condition.
 */
export function isExpected(tag: string | undefined, condition: string | undefined): boolean {
  if (condition === undefined || condition.trim() === ANY) return true
  return tag !== undefined && !tag.startsWith(WEAK) && tagsIn(condition).includes(tag)
}

/** Whether an `If-None-Match` names a tag, which weak ones do as well, or any (RFC 9110 section 13.1.2). */
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

/** RFC 9110 section 8.8.3: `etagc` has neither quotation marks nor white space. */
const STRONG = /^"([\x21\x23-\x7e\x80-\xff]*)"$/
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g
const WEAK = 'W/'
