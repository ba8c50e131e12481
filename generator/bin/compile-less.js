import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 wait fifteen times as long before it optimises a function. Most runs are over before its optimising compiler
 * has paid for itself: that took a third of the processor's time of a review, and a quarter of generating. Long runs
 * still come to it.
 *
 * To be called before anything is compiled: code that was made under other flags is of no use in another run.
 */
export function compileLess() {
  const flag = flags.get(Number.parseInt(process.versions.v8, 10))
  if (flag !== undefined) setFlagsFromString(flag)
}

/** By V8's major version, since V8 writes an error to standard output about a flag that it does not know. */
const flags = new Map([
  [11, '--interrupt-budget=1000000'],
  [12, '--invocation-count-for-turbofan=45000'],
  [13, '--invocation-count-for-turbofan=45000'],
])
