/** Functions at the end of a derived file that uses them. */
export const keptIf = `/** The value, without a member that fails a test. */
function keptIf<Value extends object, Name extends string, Member>(
  value: Value,
  name: Name,
  test: (member: unknown) => member is Member,
): Without<Value, Name> & { [Key in Name]?: Member } {
  const isKept = Object.hasOwn(value, name) && test(Reflect.get(value, name))
  return (isKept ? value : without(value, name)) as never
}`

export const without = `/** The value without some of its members. */
function without<Value extends object, Name extends string>(value: Value, ...names: Name[]): Without<Value, Name> {
  const dropped = new Set<string>(names)
  const kept = Object.entries(value).filter(([name]) => !dropped.has(name))
  return Object.fromEntries(kept) as Without<Value, Name>
}

type Without<Value, Name extends string> = Value extends unknown
  ? { [Key in keyof Value as Exclude<Key, Name>]: Value[Key] }
  : never`
