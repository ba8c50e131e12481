/** What a team has added has failed, such as an emitter or a template: exit 1, and nothing is written. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError'
}

/** The first line of what was thrown, whatever it is. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.split('\n', 1)[0] ?? ''
}
