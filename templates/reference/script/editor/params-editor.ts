import type { Violation } from 'duet-runtime/client'
import { jsonText } from 'duet-runtime/json'
import { button, element } from '../element.js'
import { isSchema, type Schema } from '../page.js'
import { editorOf } from './editor.js'
import type { Members } from './editor-part.js'
import { membersOf } from './editor-structure.js'
import { jsonEditor } from './editor-value.js'
import { isUnentered, missingIn, StandIn, shownOf, unchosen } from './stand-ins.js'

/** The params of a call, which begin with those of an example. */
export interface ParamsEditor extends Members {
  /** Begins again with another example. */
  put(example: Schema): void
  /** What a reader still has to enter. */
  missing(): Violation[]
}

/**
 * The params of a call: a form, or JSON for values that the form has no field for. Only a form has files.
 *
 * @param example with stand-ins
 */
export function paramsEditor(params: Schema, example: Schema, hasFiles: boolean): ParamsEditor {
  const place = element('div', { class: 'params-form' })
  const wrong = element('p', { class: 'wrong', role: 'alert' })
  const formOf = (initial: Schema) => membersOf(params, initial, { depth: 0, editorOf })
  const begunWith = (initial: Schema) => {
    const begun = formOf(initial)
    const entered = begun.read()
    const isForm =
      hasFiles ||
      Object.entries(initial).every(([name, value]) => isUnentered(value) || Object.hasOwn(entered, name))
    return { isForm, members: isForm ? begun : jsonOf(initial) }
  }
  let { isForm, members: current } = begunWith(example)
  const show = (isFormNow: boolean, members: Members) => {
    isForm = isFormNow
    current = members
    wrong.textContent = ''
    toggle.textContent = isForm ? 'Edit as JSON' : 'Edit in the form'
    place.replaceChildren(...members.elements)
    place.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const toggle = button(isForm ? 'Edit as JSON' : 'Edit in the form', () => {
    try {
      const entered = current.read()
      if (isForm) return show(false, jsonOf(entered))
      const form = formOf(entered)
      if (sorted(shownOf(form.read())) === sorted(shownOf(entered))) return show(true, form)
      wrong.textContent = 'The form has no fields for all of this, and would lose it.'
    } catch (error) {
      wrong.textContent = error instanceof Error ? error.message : String(error)
    }
  })
  place.append(...current.elements)
  return {
    elements: [place, element('div', { class: 'params-mode' }, toggle, wrong)],
    read: () => shownOf(current.read()),
    complain: (path, message) => current.complain(path, message),
    forgive: () => current.forgive(),
    put(other) {
      const { isForm: fits, members } = begunWith(other)
      show(fits, members)
    },
    missing: () => missingIn(current.read()),
  }
}

function jsonOf(params: Schema): Members {
  // JSON has no files.
  const isFile = (value: unknown) => value === unchosen || value instanceof Blob
  const initial = Object.fromEntries(Object.entries(params).filter(([, value]) => !isFile(value)))
  const options = {
    ...{ label: 'Parameters as JSON', required: false, initial, standIn: new StandIn(''), depth: 0 },
  }
  const editor = jsonEditor({}, options, (value) => {
    if (!isSchema(value)) throw new Error('Parameters must be a JSON object')
  })
  editor.element.classList.add('wide')
  editor.element.querySelector('textarea')?.setAttribute('rows', '12')
  return {
    elements: [editor.element],
    read() {
      const value = editor.read()
      return isSchema(value) ? { ...value } : {}
    },
    complain: (path, message) => editor.complain(path, message),
    forgive: () => editor.forgive(),
  }
}

/** JSON with sorted members. */
function sorted(value: unknown): string {
  return jsonText(inOrder(value))
}

export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isSchema(value) || value instanceof Blob) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]))
}
