/** Makes a model and everything in it throw on changes, because all emitters share it. */
export function freezeModel(model: object): void {
  const waiting: object[] = [model]
  const seen = new Set<object>()
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (seen.has(value) || ArrayBuffer.isView(value)) continue
    seen.add(value)
    const inner: unknown[] = Object.values(value)
    if (value instanceof Map) inner.push(...value.keys(), ...value.values())
    else if (value instanceof Set) inner.push(...value)
    if ((value instanceof Map || value instanceof Set) && !Object.isFrozen(value)) refuseChanges(value)
    Object.freeze(value)
    for (const one of inner) if (typeof one === 'object' && one !== null) waiting.push(one)
  }
}

/** Freezing an object does not prevent changes to a Map. */
function refuseChanges(value: object): void {
  const refuse = (): never => {
    throw new TypeError('the model is read-only: other emitters receive it too')
  }
  for (const name of ['set', 'add', 'delete', 'clear'])
    if (name in value) Object.defineProperty(value, name, { value: refuse })
}
