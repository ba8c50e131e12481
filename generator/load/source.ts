import type { Diagnostic } from './diagnostic.js'
import type { Json, Position } from './document.js'
import { parseJson } from './json-source.js'
import { parseYaml } from './yaml-source.js'

/** One parsed file. */
export interface Source {
  /** As in InputFile.path. */
  readonly path: string
  /** Absolute path, symbolic links resolved. */
  readonly absolute: string
  readonly text: string
  readonly value: Json
  /** Position of the key (in an array: of the element) at that path, or of its nearest ancestor. */
  readonly locate: (segments: readonly string[]) => Position
}

/** Parses a text as JSON where the path ends in `.json`, else as YAML 1.2. */
export function parseSource(
  path: string,
  absolute: string,
  text: string,
): { source?: Source; diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics, locate } = path.endsWith('.json')
    ? parseJson(path, text)
    : parseYaml(path, text)
  return value === undefined
    ? { diagnostics }
    : { source: { path, absolute, text, value, locate }, diagnostics }
}
