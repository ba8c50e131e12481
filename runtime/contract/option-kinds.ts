const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isText = (value: unknown): boolean => typeof value === 'string'
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What options take, in the words of messages. */
const kinds = {
  'a function': (value: unknown): boolean => typeof value === 'function',
  'a list of texts': isList,
  'a number of at least 0': (value: unknown): boolean => typeof value === 'number' && value >= 0,
  'a text': isText,
  'a text or false': (value: unknown): boolean => value === false || isText(value),
  'an object': isObject,
  'an object or false': (value: unknown): boolean => value === false || isObject(value),
  /** Checked elsewhere. */
  anything: (): boolean => true,
  'true or false': (value: unknown): boolean => typeof value === 'boolean',
}

/** The kind of each option. */
export type OptionKinds<Options> = { readonly [Name in keyof Options]-?: keyof typeof kinds }

/**
 * Checks options once, since types do not bind JavaScript. Messages show no values: some are secrets.
 *
 * @returns the names of options that do not exist
 * @throws TypeError for a value of another kind
 */
export function checkKinds<Options>(owner: string, options: object, table: OptionKinds<Options>): string[] {
  const known = new Map(Object.entries<keyof typeof kinds>(table))
  return Object.entries(options).flatMap(([name, value]) => {
    const kind = known.get(name)
    if (kind === undefined) return name
    if (value !== undefined && !kinds[kind](value)) throw new TypeError(`${owner}${name} takes ${kind}`)
    return []
  })
}
