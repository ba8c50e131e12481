import { jsonText } from 'duet-runtime/json'
import { button, element } from '../element.js'
import type { Schema } from '../page.js'
import type { StandIns } from '../stand-ins.js'
import { editorOf } from './editor.js'
import { isSchema, type Members } from './editor-part.js'
import { membersOf } from './editor-structure.js'
import { jsonEditor } from './editor-value.js'

/** The params of a call, which begin with those of an example. */
export interface ParamsEditor extends Members {
  /** Begins again with another example. */
  put(example: Schema): void
  /** What a reader still has to enter. */
  missing: StandIns['missing']
}

/**
 * The params of a call: a form, or JSON for values that the form has no field for. Only a form has files.
 *
 * @param standInsFor what fields show in place of an example's words
 */
export function paramsEditor(
  first: Schema,
  standInsFor: (example: Schema) => StandIns,
  hasFiles: boolean,
): ParamsEditor {
  let standIns = standInsFor(first)
  const place = element('div', { class: 'params-form' })
  const wrong = element('p', { class: 'wrong', role: 'alert' })
  const begunWith = (example: Schema) => {
    const begun = formOf(example)
    const entered = standIns.shown(begun.read())
    const fits = hasFiles || Object.keys(example).every((name) => Object.hasOwn(entered, name))
    return { fits, members: fits ? begun : jsonOf(example) }
  }
  let { fits: isForm, members: current } = begunWith(first)
  const read = () => (isForm ? standIns.shown(current.read()) : current.read())
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
      const params = read()
      if (isForm) return show(false, jsonOf(params))
      const form = formOf(params)
      if (sorted(standIns.shown(form.read())) === sorted(params)) return show(true, form)
      wrong.textContent = 'The form has no fields for all of this, and would lose it.'
    } catch (error) {
      wrong.textContent = error instanceof Error ? error.message : String(error)
    }
  })
  place.append(...current.elements)
  return {
    elements: [place, element('div', { class: 'params-mode' }, toggle, wrong)],
    read,
    complain: (path, message) => current.complain(path, message),
    forgive: () => current.forgive(),
    put(example) {
      standIns = standInsFor(example)
      const { fits, members } = begunWith(example)
      show(fits, members)
    },
    missing: (params) => standIns.missing(params),
  }

  function formOf(params: Schema): Members {
    return membersOf(standIns.params, standIns.hidden(params), { depth: 0, editorOf })
  }
}

function jsonOf(params: Schema): Members {
  // JSON has no files.
  const initial = Object.fromEntries(Object.entries(params).filter(([, value]) => !(value instanceof Blob)))
  const options = { label: 'Parameters as JSON', required: false, initial, depth: 0 }
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
