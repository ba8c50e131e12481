import { noPieces, type Pieces } from '../cache/pieces.js'
import { compareText, objectOf } from '../document/cursor.js'
import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { type TextSource, textSource } from './text-function.js'
import { textFunction } from './validator-names.js'

export interface Texts {
  /** Names to import from `duet-runtime/validation`. */
  readonly imports: readonly string[]
  readonly lines: readonly string[]
  /** The functions, by the ids of the schemas that need them. */
  readonly names: ReadonlyMap<string, string>
}

/**
 * Functions that write values as JSON while they check them, which is faster than one after the other. None for
 * a schema that must first be checked.
 *
 * @param ids of the schemas, each with one function
 * @param written schemas by id, with ids as references
 */
export function writeTexts(
  ids: readonly string[],
  written: ReadonlyMap<string, Json>,
  pieces: Pieces = noPieces,
): Texts {
  const names = new Map<string, string>()
  const sources = new Map<string, TextSource>()
  const sourceOf = (id: string): TextSource => {
    const known = sources.get(id) ?? keptSource(id, written.get(id) ?? true, pieces)
    sources.set(id, known)
    return known
  }
  const needed = new Set<string>()
  for (const id of ids) {
    if (!sourceOf(id).isWritten) continue
    needed.add(id)
    names.set(id, textFunction(id))
  }
  for (const id of needed) for (const reference of sourceOf(id).references) needed.add(reference)
  const used = [...needed].sort(compareText).map(sourceOf)
  const patterns = new Map(used.flatMap((source) => source.patterns))
  return {
    imports: [...new Set(used.flatMap((source) => source.imports))],
    lines: [
      ...[...patterns].sort(([a], [b]) => compareText(a, b)).map(([, constant]) => constant),
      ...used.flatMap((source) => source.functions),
    ],
    names,
  }
}

/** A function from an earlier run, if its schema is the same. */
function keptSource(id: string, schema: Json, pieces: Pieces): TextSource {
  const key = JSON.stringify(schema)
  const kept = pieces.get('text', id, key)
  if (isObject(kept)) {
    const { functions, patterns, imports, references, isWritten } = kept
    return {
      functions: texts(functions),
      patterns: isObject(patterns)
        ? Object.entries(patterns).map(([name, text]) => [name, String(text)])
        : [],
      imports: texts(imports),
      references: texts(references),
      isWritten: isWritten === true,
    }
  }
  const source = textSource(id, schema)
  const { functions, patterns, imports, references, isWritten } = source
  const piece = {
    functions: [...functions],
    patterns: objectOf(patterns.map(([name, text]): [string, Json] => [name, text])),
    imports: [...imports],
    references: [...references],
    isWritten,
  }
  pieces.set(piece, 'text', id, key)
  return source
}

function texts(value: Json | undefined): string[] {
  return isArray(value) ? value.map(String) : []
}
