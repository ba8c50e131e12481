import { aboutOf, element } from '../element.js'
import type { Schema } from '../page.js'
import type { StandIn } from './stand-ins.js'

/** A part of a form: edits one value. */
export interface Editor {
  readonly element: HTMLElement
  /** The value; undefined to send nothing. Throws an Error for typed text that cannot be sent. */
  read(): unknown
  /** Shows an error of the value, or of a part of it at the path. Returns false if the path is not in it. */
  complain(path: readonly string[], message: string): boolean
  /** Removes all errors. */
  forgive(): void
}

export interface FieldOptions {
  readonly label: string
  readonly required: boolean
  /** Undefined: empty. */
  readonly initial: unknown
  /** What a required value is until a reader enters it. */
  readonly standIn: StandIn
  /** Nesting below the form. Very deep values are typed as JSON. */
  readonly depth: number
}

export interface EditorOptions extends FieldOptions {
  /** Creates the editors of nested values. */
  readonly editorOf: (schema: Schema, options: EditorOptions) => Editor
}

/** The members of an object, or of the whole form. */
export interface Members {
  readonly elements: readonly HTMLElement[]
  read(): Record<string, unknown>
  complain(path: readonly string[], message: string): boolean
  forgive(): void
}

/** The members in the order of the example, which samples have, and not in that of the fields. */
export function inOrderOf(initial: Schema, members: Schema): Record<string, unknown> {
  const names = Object.keys(initial).filter((name) => Object.hasOwn(members, name))
  return Object.fromEntries(
    [...new Set([...names, ...Object.keys(members)])].map((name) => [name, members[name]]),
  )
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
  const described = about === undefined ? content : [about, ...content]
  const describedBy = about === undefined ? wrong.id : `${about.id} ${wrong.id}`
  return element('fieldset', { class: 'field', 'aria-describedby': describedBy }, legend, ...described, wrong)
}
