import { anywhere, jsonText, parseJson, withExactInt64 } from 'duet-runtime/json'
import { aboutOf, element, freshId } from '../element.js'
import type { Schema } from '../page.js'
import { pretty } from '../request.js'
import type { Editor, FieldOptions } from './editor-part.js'
import { shownOf, stillOpen, unchosen } from './stand-ins.js'

/**
 * Text, or a number. Text that is not a number is sent as typed, so that the service reports it. A number
 * that would lose digits is not sent.
 */
export function textEditor(
  schema: Schema,
  type: 'string' | 'integer' | 'number',
  isNullable: boolean,
  options: FieldOptions,
): Editor {
  const isNumber = type !== 'string'
  const lines = typeof options.initial === 'string' ? options.initial.split('\n').length : 1
  // A form turns each line break of a text into \n, and only JSON keeps \r.
  if (typeof options.initial === 'string' && options.initial.includes('\r'))
    return jsonEditor(schema, options)
  const common = { spellcheck: 'false', autocomplete: 'off', placeholder: placeholderOf(schema, options) }
  const input =
    lines > 1
      ? element('textarea', { ...common, rows: String(Math.min(lines, 12)) })
      : element('input', { ...common, type: 'text', ...(isNumber && { inputmode: 'decimal' }) })
  if (options.initial !== undefined && options.initial !== null) input.value = String(options.initial)
  const none = element('input', { type: 'checkbox', 'aria-label': `${options.label} null` })
  const show = () => {
    input.disabled = none.checked
  }
  none.checked = options.initial === null
  none.addEventListener('change', show)
  show()
  const beside = isNullable ? [element('label', { class: 'null' }, none, ' null')] : []
  const editor = labelled(input, schema, options, read, beside)
  return isNumber ? checkedAsTyped(editor) : editor

  function read(): unknown {
    if (isNullable && none.checked) return null
    if (input.value === '') return options.initial === '' ? '' : emptyOf(options)
    if (!isNumber) return input.value
    const isJson = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(input.value.trim())
    return isJson ? exactJson(input.value, options.label) : input.value
  }
}

/** One of some values. */
export function choiceEditor(schema: Schema, values: readonly unknown[], options: FieldOptions): Editor {
  const select = element('select')
  const known = values.findIndex((value) => jsonText(value) === jsonText(options.initial))
  if (!options.required || (known === -1 && values.length > 1))
    select.append(element('option', { value: '' }, options.required ? 'Choose' : 'not sent'))
  for (const [index, value] of values.entries())
    select.append(
      element('option', { value: String(index) }, typeof value === 'string' ? value : JSON.stringify(value)),
    )
  if (known !== -1) select.value = String(known)
  return labelled(select, schema, options, () =>
    select.value === '' ? emptyOf(options) : values[Number(select.value)],
  )
}

export function fileEditor(schema: Schema, options: FieldOptions): Editor {
  const input = element('input', { type: 'file' })
  // An example with a file needs one, though only its name is known here.
  const isNeeded = options.required || options.initial !== undefined
  return labelled(input, schema, options, () => input.files?.[0] ?? (isNeeded ? unchosen : undefined))
}

/**
 * A JSON field for any value without an editor of its own.
 *
 * @param check throws an Error for a value that must not be sent
 */
export function jsonEditor(
  schema: Schema,
  options: FieldOptions,
  check: (value: unknown) => void = () => {},
): Editor {
  const area = element('textarea', { rows: '4', spellcheck: 'false', placeholder: 'JSON' })
  const { initial } = options
  if (initial !== undefined) area.value = pretty(jsonText(shownOf({ initial }).initial))
  const read = (): unknown => {
    if (area.value.trim() === '') return emptyOf(options)
    const value = exactJson(area.value, options.label)
    check(value)
    return stillOpen(value, initial)
  }
  return checkedAsTyped(labelled(area, schema, options, read))
}

/**
 * Parses JSON, with bigints for 64-bit integers that no double holds: the transports write their digits.
 * Throws an Error for invalid JSON, and for other numbers that would not be sent as typed.
 */
function exactJson(text: string, label: string): unknown {
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Error(`${label} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  const { value, inexact } = withExactInt64(parseJson(text), anywhere)
  const [pointer] = inexact
  if (pointer !== undefined)
    throw new Error(`${label}${pointer} is a number that a double cannot hold exactly`)
  return value
}

function checkedAsTyped(editor: Editor): Editor {
  editor.element.addEventListener('input', () => {
    editor.forgive()
    try {
      editor.read()
    } catch (error) {
      if (error instanceof Error) editor.complain([], error.message)
    }
  })
  return editor
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A control with its label, its description, and space for its error. */
function labelled(
  control: Control,
  schema: Schema,
  options: FieldOptions,
  read: () => unknown,
  beside: readonly HTMLElement[] = [],
): Editor {
  control.id = freshId()
  const wrong = element('p', { class: 'wrong', id: `${control.id}-wrong`, role: 'alert' })
  const label = element('label', { for: control.id }, element('code', {}, options.label))
  if (options.required) label.append(' ', element('span', { class: 'required' }, 'required'))
  const about = aboutOf(schema.description)
  const above = about === undefined ? [label] : [label, about]
  control.setAttribute('aria-describedby', about === undefined ? wrong.id : `${about.id} ${wrong.id}`)
  return {
    element: element('div', { class: 'field' }, ...above, control, ...beside, wrong),
    read,
    complain(path, message) {
      const placed = [...path, message].join(': ')
      wrong.textContent = wrong.textContent === '' ? placed : `${wrong.textContent}; ${placed}`
      control.setAttribute('aria-invalid', 'true')
      return true
    },
    forgive() {
      wrong.textContent = ''
      control.removeAttribute('aria-invalid')
    },
  }
}

function emptyOf({ required, standIn }: FieldOptions): unknown {
  return required ? standIn : undefined
}

function placeholderOf(schema: Schema, { required, standIn }: FieldOptions): string {
  if ('default' in schema) return `default ${JSON.stringify(schema.default)}`
  if (typeof schema.format === 'string') return schema.format
  return required ? String(standIn.shown) : ''
}
