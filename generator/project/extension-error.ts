/** An extension of the project has failed, such as an emitter or a template: exit code 1, and nothing is written. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError'
}

/** A template has failed. Handlebars shows the place of a fault on lines of its own. */
export function templateError(file: string, error: unknown): ExtensionError {
  const [first, ...lines] = (error instanceof Error ? error.message : '').split('\n')
  const shown = lines.map((line) => `\n  ${line}`).join('')
  return new ExtensionError(`The template ${file} failed: ${first || reasonOf(error)}${shown}`, {
    cause: error,
  })
}

/** The first line of any thrown value. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.split('\n', 1)[0] ?? ''
}
