import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import type * as JsonPath from 'jsonpath-rfc9535'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { valueAt } from '../document/pointer.js'
import { isExtension } from '../document/vocabulary.js'
import { keepDigitsAt } from '../document/written-digits.js'
import type { Origins } from './origins.js'
import { real } from './references.js'
import type { Source } from './source.js'

/**
 * Applies an overlay to a document, in place (OpenAPI Overlay Specification 1.0): its actions in order, each
 * to the matches of its JSONPath (RFC 9535). Parts that it adds, changes or removes have their position in the
 * overlay. Skips an overlay that names another document under `extends`.
 */
export function applyOverlay(entry: Source, overlay: Source, origins: Origins): Diagnostic[] {
  const { value } = overlay
  const fault = (message: string, ...at: string[]) => diagnose('overlay-invalid', message, overlay.locate(at))
  const version = isObject(value) ? own(value, 'overlay') : undefined
  if (!isObject(value) || !/^1(\.\d+)*$/.test(String(version)))
    return [fault(`${overlay.path} has no field overlay with the version 1.0.0`)]
  const base = own(value, 'extends')
  if (typeof base === 'string' && real(resolve(dirname(overlay.absolute), base)) !== entry.absolute) return []
  const actions = own(value, 'actions')
  if (!isArray(actions)) return [fault(`actions of ${overlay.path} is not a list`, 'actions')]
  return actions.flatMap((action, index) => {
    const at = ['actions', String(index)]
    const target = isObject(action) ? own(action, 'target') : undefined
    if (!isObject(action) || typeof target !== 'string') return [fault('The action has no target', ...at)]
    const unknown = Object.keys(action).find((key) => !fields.has(key) && !isExtension(key))
    if (unknown !== undefined) return [fault(`The action has an unknown field ${unknown}`, ...at, unknown)]
    const found = matches(entry.value, target)
    if (typeof found === 'string') return [fault(`${target} is not a JSONPath: ${found}`, ...at, 'target')]
    if (found.length === 0)
      return [
        diagnose(
          'overlay-unmatched',
          `${target} matches nothing in ${entry.path}`,
          overlay.locate([...at, 'target']),
        ),
      ]
    if (own(action, 'remove') === true)
      remove(entry.value, found, { overlay, origins, at: [...at, 'target'] })
    else {
      const update = own(action, 'update') ?? {}
      for (const path of found) put(entry.value, path, update, { overlay, origins, at: [...at, 'update'] })
    }
    return []
  })
}

/** The fields of an action (OpenAPI Overlay 1.0, Action Object). */
const fields = new Set(['target', 'description', 'update', 'remove'])

/** The paths that a JSONPath matches, or why it is invalid. */
function matches(root: Json, target: string): string | string[][] {
  const found: string[][] = []
  // Loaded only for overlays: loading takes longer than a small review.
  const { exec }: typeof JsonPath = createRequire(import.meta.url)('jsonpath-rfc9535')
  try {
    exec(root as JsonPath.JsonValue, target, (_, path) => void found.push(path.map(String)))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return found
}

/** A position in an overlay. */
interface OverlayPosition {
  readonly overlay: Source
  readonly origins: Origins
  readonly at: readonly string[]
}

/** From the last to the first, so that the indexes of other items stay valid. */
function remove(root: Json, paths: readonly string[][], from: OverlayPosition): void {
  for (const path of [...paths].reverse()) {
    const holder = valueAt(root, path.slice(0, -1))
    const key = path.at(-1) ?? ''
    if (isArray(holder)) {
      ;(holder as Json[]).splice(Number(key), 1)
      from.origins.forgetItems(holder)
    } else if (isObject(holder)) {
      delete (holder as MutableObject)[key]
      note(holder, key, from)
    }
  }
}

function put(root: Json, path: readonly string[], update: Json, from: OverlayPosition): void {
  const target = valueAt(root, path)
  if (isArray(target)) push(target as Json[], update, from)
  else if (isObject(target) && isObject(update)) merge(target as MutableObject, update, from)
  else {
    const holder = valueAt(root, path.slice(0, -1))
    if (isObject(holder)) assign(holder as MutableObject, path.at(-1) ?? '', update, from)
  }
}

function merge(target: MutableObject, update: MutableObject, from: OverlayPosition): void {
  for (const [key, value] of Object.entries(update)) {
    const inner = { ...from, at: [...from.at, key] }
    const known = own(target, key)
    if (isObject(known) && isObject(value)) merge(known as MutableObject, value, inner)
    else if (isArray(known) && isArray(value))
      for (const [index, item] of value.entries())
        push(known as Json[], item, { ...inner, at: [...inner.at, String(index)] })
    else assign(target, key, value, inner)
  }
}

function assign(target: MutableObject, key: string, value: Json, from: OverlayPosition): void {
  setOwn(target, key, added(value, from))
  note(target, key, from)
}

function push(list: Json[], item: Json, from: OverlayPosition): void {
  note(list, String(list.length), from)
  list.push(added(item, from))
}

function added(value: Json, { overlay, origins, at }: OverlayPosition): Json {
  const copy = clone(value)
  origins.set(copy, { source: overlay, segments: at })
  return copy
}

function note(holder: object, key: string, { overlay, origins, at }: OverlayPosition): void {
  origins.setMember(holder, key, { source: overlay, segments: at })
  const source = valueAt(overlay.value, at.slice(0, -1))
  if (typeof source === 'object' && source !== null) keepDigitsAt([source, at.at(-1) ?? ''], [holder, key])
}
