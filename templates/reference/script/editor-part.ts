import { aboutOf, element } from './element.js'
import type { Schema } from './page.js'

/** A part of a form: edits one value. */
export interface Editor {
  readonly element: HTMLElement
  /** The value; undefined where nothing is to be sent. Throws an Error for what cannot be sent as it is typed. */
  read(): unknown
  /** Shows what is wrong with the value, or with what the rest of the path leads to within it; false: not here. */
  complain(path: readonly string[], message: string): boolean
  /** Takes all complaints back. */
  forgive(): void
}

export interface FieldOptions {
  readonly label: string
  readonly required: boolean
  /** Undefined: empty. */
  readonly initial: unknown
  /** Steps below the form: deeper than a reader follows, JSON is typed. */
  readonly depth: number
}

export interface EditorOptions extends FieldOptions {
  /** Makes the editors of what is within. */
  readonly editorOf: (schema: Schema, options: EditorOptions) => Editor
}

/** The members of an object: of a form, too. */
export interface Members {
  readonly elements: readonly HTMLElement[]
  read(): Record<string, unknown>
  complain(path: readonly string[], message: string): boolean
  forgive(): void
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function group(
  { description }: Schema,
  { label, required }: EditorOptions,
  wrong: HTMLElement,
  ...content: readonly HTMLElement[]
): HTMLElement {
  const legend = element('legend', {}, element('code', {}, label))
  if (required) legend.append(' ', element('span', { class: 'required' }, 'required'))
  const about = aboutOf(description)
  const told = about === undefined ? content : [about, ...content]
  const describedBy = about === undefined ? wrong.id : `${about.id} ${wrong.id}`
  return element('fieldset', { class: 'field', 'aria-describedby': describedBy }, legend, ...told, wrong)
}
