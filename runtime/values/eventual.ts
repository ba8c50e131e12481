/** A value that is there already, or will be: what need not wait does not cost a promise. */
export type Eventual<Value> = Value | Promise<Value>

/** Goes on with a value at once where it is there; with what a thenable becomes, as `await` would. */
export function whenKnown<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Eventual<Next>,
): Eventual<Next> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value)
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
