/** An extension of the project has failed, such as an emitter or a template: exit code 1, and nothing is written. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError'
}

/** The first line of any thrown value. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.split('\n', 1)[0] ?? ''
}
