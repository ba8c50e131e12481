import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json, Position } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { parseJson } from './text/json-source.js'
import { brokenTexts } from './text/unicode.js'
import { parseYaml } from './text/yaml-source.js'

/** One parsed file. */
export interface Source {
  /** As in InputFile.path. */
  readonly path: string
  /** Absolute path with symbolic links resolved, or the address of a remote file. */
  readonly absolute: string
  /** The document's own address (`$self`, OpenAPI 3.2). */
  readonly self: string | undefined
  readonly text: string
  readonly value: Json
  /** Position of the key (in an array: of the element) at that path, or of its nearest ancestor. */
  readonly locate: (segments: readonly string[]) => Position
}

/** Parses a text as JSON if the path ends in `.json`, else as YAML 1.2. */
export function parseSource(
  path: string,
  absolute: string,
  text: string,
): { source?: Source; diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics, locate } = path.endsWith('.json')
    ? parseJson(path, text)
    : parseYaml(path, text)
  if (value === undefined) return { diagnostics }
  const broken = brokenTexts(text, value).slice(0, 20)
  if (broken.length > 0) {
    const found = broken.map(({ message, path }) => diagnose('not-json', message, locate(path)))
    return { diagnostics: [...diagnostics, ...found] }
  }
  return { source: { path, absolute, self: selfOf(value), text, value, locate }, diagnostics }
}

function selfOf(value: Json): string | undefined {
  const self = isObject(value) ? own(value, '$self') : undefined
  return typeof self === 'string' ? self : undefined
}
