/** Whether a validator accepts a value. Undefined if the validator itself fails. */
export function says(accepts, value) {
  try {
    return accepts(value)
  } catch {
    return undefined
  }
}
