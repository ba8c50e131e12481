/** A property name in characters that a JSON pointer and a URI fragment do not change. */
export function spelledKey(name: string): string {
  if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) return name
  const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index).toString(16))
  return `key~${units.join('.')}`
}

/** The original of a name spelled by {@link spelledKey}. */
export function originalKey(spelled: string): string {
  if (!spelled.startsWith('key~')) return spelled
  const units = spelled
    .slice('key~'.length)
    .split('.')
    .filter((unit) => unit !== '')
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}

/** Formats that represent the types of files until they are printed. No text of a document can contain them. */
export const fileFormat = 'duet file'
export const sentFileFormat = 'duet sent file'

/** The same for bigint. With digits after it, a bigint literal. */
export const bigintFormat = 'duet bigint'
