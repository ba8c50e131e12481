import { capitals } from '../../../../generator/samples/named-text.js'
import { button, element, freshId } from '../element.js'
import { isSchema, type Schema } from '../page.js'
import {
  type Alternative,
  alternativeMembers,
  choicesOf,
  distinguishingNames,
  fits,
  type Part,
  propertiesOf,
  selectorOf,
} from './editor-choice.js'
import { type Editor, type EditorOptions, group, inOrderOf, type Members } from './editor-part.js'
import { isUnentered, StandIn } from './stand-ins.js'

/** A list with one editor per item. */
export function arrayEditor(schema: Schema, items: Schema, options: EditorOptions): Editor {
  const { label, depth, standIn, editorOf } = options
  const rows: { readonly editor: Editor; readonly element: HTMLElement }[] = []
  const list = element('div', { class: 'items' })
  const wrong = element('p', { class: 'wrong', id: freshId(), role: 'alert' })
  const changed = () => list.dispatchEvent(new Event('input', { bubbles: true }))
  let count = 0
  const add = (initial: unknown) => {
    count += 1
    const name = `${label} ${count}`
    const editor = editorOf(items, {
      ...{ label: name, required: true, initial, standIn, depth: depth + 1, editorOf },
    })
    const row = element('div', { class: 'item' }, editor.element)
    const entry = { editor, element: row }
    const remove = button('Remove', () => {
      rows.splice(rows.indexOf(entry), 1)
      row.remove()
      more.focus()
      changed()
    })
    remove.setAttribute('aria-label', `Remove ${name}`)
    row.append(remove)
    rows.push(entry)
    list.append(row)
  }
  const more = button('Add', () => {
    add(undefined)
    changed()
  })
  more.setAttribute('aria-label', `Add to ${label}`)
  const first = options.required && options.initial === undefined ? [undefined] : options.initial
  if (Array.isArray(first)) for (const item of first) add(item)
  return {
    element: group(schema, options, wrong, list, more),
    read: () =>
      rows.length === 0 && !options.required ? undefined : rows.map(({ editor }) => editor.read() ?? null),
    complain: ([index, ...path], message) => {
      const row = index === undefined ? undefined : rows[Number(index)]
      if (row?.editor.complain(path, message) !== true) wrong.textContent = message
      return true
    },
    forgive() {
      wrong.textContent = ''
      for (const { editor } of rows) editor.forgive()
    },
  }
}

/** An object with one editor per member. */
export function objectEditor(schema: Schema, options: EditorOptions): Editor {
  const { depth, editorOf, initial } = options
  const members = membersOf(schema, isSchema(initial) ? initial : {}, { depth: depth + 1, editorOf })
  const wrong = element('p', { class: 'wrong', id: freshId(), role: 'alert' })
  const fieldset = group(schema, options, wrong, ...members.elements)
  // Shown, an optional object asks for nothing.
  let isBegun = options.required || initial !== undefined
  fieldset.addEventListener('input', () => {
    isBegun = true
  })
  return {
    element: fieldset,
    read() {
      const value = members.read()
      return options.required || (isBegun && !isUnentered(value)) ? value : undefined
    },
    complain(path, message) {
      if (!members.complain(path, message)) wrong.textContent = message
      return true
    },
    forgive() {
      wrong.textContent = ''
      members.forgive()
    },
  }
}

/** The depth of members, and what creates their editors. */
type Within = Pick<EditorOptions, 'depth' | 'editorOf'>

/** @param left names of members that are edited elsewhere */
export function membersOf(
  schema: Schema,
  initial: Schema,
  within: Within,
  left: ReadonlySet<string> = new Set(),
): Members {
  const choices = choicesOf(schema)
  if (choices.length === 0) return namedMembers(schema, initial, within, left)
  const editedElsewhere = new Set([...left, ...choices.flatMap(distinguishingNames)])
  const named = new Set(
    [...left, ...propertiesOf(schema).map(([name]) => name)].filter((name) => !editedElsewhere.has(name)),
  )
  return together(initial, [
    namedMembers(schema, initial, within, editedElsewhere),
    ...choices.map((alternatives) =>
      alternativeMembers(alternatives, initial, (one) => membersOf(one, initial, within, named)),
    ),
  ])
}

function together(initial: Schema, parts: readonly Members[]): Members {
  return {
    elements: parts.flatMap(({ elements }) => elements),
    read: () => inOrderOf(initial, Object.assign(Object.create(null), ...parts.map((part) => part.read()))),
    complain: (path, message) => parts.some((part) => part.complain(path, message)),
    forgive() {
      for (const part of parts) part.forgive()
    },
  }
}

function namedMembers(
  schema: Schema,
  initial: Schema,
  { depth, editorOf }: Within,
  left: ReadonlySet<string>,
): Members {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = new Map(propertiesOf(schema).filter(([name]) => !left.has(name)))
  const editors = new Map<string, Editor>()
  const added = (name: string): HTMLElement => {
    const member = properties.get(name)
    const editor = editorOf(isSchema(member) ? member : {}, {
      label: name,
      required: required.has(name),
      initial: Object.hasOwn(initial, name) ? initial[name] : undefined,
      standIn: new StandIn(capitals(name)),
      depth,
      editorOf,
    })
    editors.set(name, editor)
    return editor.element
  }
  const isFirst = (name: string) => required.has(name) || Object.hasOwn(initial, name)
  const names = [...properties.keys()]
  const others = names.filter((name) => !isFirst(name))
  const isFolded = depth === 0 && (others.length < names.length || others.length > mostShown)
  // Required members come first.
  const elements = [...names.filter(isFirst), ...(isFolded ? [] : others)]
    .sort((a, b) => Number(required.has(b)) - Number(required.has(a)))
    .map(added)
  const folded = isFolded && others.length > 0 ? foldedMembers(others, added) : undefined
  return {
    elements: folded === undefined ? elements : [...elements, folded.element],
    read() {
      const value: Record<string, unknown> = Object.create(null)
      for (const [name, editor] of editors) {
        const member = editor.read()
        if (member !== undefined) value[name] = member
      }
      return inOrderOf(initial, value)
    },
    complain: ([name, ...path], message) => {
      if (name === undefined) return false
      if (others.includes(name)) folded?.open()
      return editors.get(name)?.complain(path, message) ?? false
    },
    forgive() {
      for (const editor of editors.values()) editor.forgive()
    },
  }
}

/** Optional members that are shown at once if no other is required. */
const mostShown = 3

/** Optional members, whose editors are created once a reader opens them: an operation may have hundreds. */
function foldedMembers(
  names: readonly string[],
  added: (name: string) => HTMLElement,
): { readonly element: HTMLElement; open(): void } {
  const summary = element(
    'summary',
    {},
    names.length === 1 ? '1 optional field' : `${names.length} optional fields`,
  )
  const place = element('div', { class: 'params-form' })
  const details = element('details', { class: 'optional' }, summary, place)
  const fill = () => {
    if (place.childElementCount === 0) place.append(...names.map(added))
  }
  details.addEventListener('toggle', fill)
  return {
    element: details,
    open() {
      fill()
      details.open = true
    },
  }
}

/** A value with alternatives: a selector, and below it the editor of the selected one. */
export function alternativeEditor(
  schema: Schema,
  alternatives: readonly Alternative[],
  options: EditorOptions,
): Editor {
  const wrong = element('p', { class: 'wrong', id: freshId(), role: 'alert' })
  const selector = selectorOf(alternatives, options.initial, options.required, (one, label) =>
    valueEditor(one, label, options),
  )
  return {
    element: group(schema, options, wrong, ...selector.elements),
    read() {
      const chosen = selector.chosen()
      if (chosen !== undefined) return chosen.read()
      return options.required ? options.standIn : undefined
    },
    complain(path, message) {
      if (selector.chosen()?.complain(path, message) !== true) wrong.textContent = message
      return true
    },
    forgive() {
      wrong.textContent = ''
      selector.chosen()?.forgive()
    },
  }
}

function valueEditor(
  schema: Schema,
  label: string,
  { initial, depth, standIn, editorOf }: EditorOptions,
): Part<unknown> {
  const value = initial !== undefined && fits(schema, initial) ? initial : undefined
  if (schema.type === 'null') return { elements: [], read: () => null, complain: () => false, forgive() {} }
  const isObject = isSchema(schema.properties) && !Array.isArray(schema.type)
  if (isObject && depth < 3)
    return membersOf(schema, isSchema(value) ? value : {}, { depth: depth + 1, editorOf })
  const editor = editorOf(schema, { label, required: true, initial: value, standIn, depth, editorOf })
  return {
    elements: [editor.element],
    read: () => editor.read(),
    complain: (path, message) => editor.complain(path, message),
    forgive: () => editor.forgive(),
  }
}
