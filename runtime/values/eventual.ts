/** A value or its promise: synchronous values avoid the cost of a promise. */
export type Eventual<Value> = Value | Promise<Value>

/** Calls `next` at once with a value, or with the value that a thenable resolves to, like `await`. */
export function whenKnown<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Eventual<Next>,
): Eventual<Next> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

/** A value as it is, or a promise of what a thenable resolves to. */
export function eventual<Value>(value: Value | PromiseLike<Value>): Eventual<Value> {
  return isThenable(value) && !(value instanceof Promise)
    ? Promise.resolve(value)
    : (value as Eventual<Value>)
}

export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
