/** What a reader replaces in a sample: `CLIENT_ID` for `clientId`, and `VALUE` for a name without a letter for it. */
export function capitals(name: string): string {
  const words = name.replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1_').replaceAll(/[^A-Za-z0-9]+/g, '_')
  const text = words.replaceAll(/^_|_$/g, '').toUpperCase()
  return /[A-Z]/.test(text) ? text : 'VALUE'
}

/** The word for the value at a JSON pointer. The items of a list have its name. */
export function wordAt(pointer: string): string {
  const key = pointer.split('/').findLast((token, index) => index > 0 && !/^\d+$/.test(token))
  return capitals(key?.replaceAll(/~[01]/g, '_') ?? '')
}
