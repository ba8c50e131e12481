import { compareText } from '../../document/cursor.js'
import { beginningsOf } from './taken-names.js'

interface Place {
  readonly verb: string
  readonly path: string
}

/** Which operation keeps another from the name that it would get. */
export class Rivals<Source extends Place> {
  readonly #rank: ReadonlyMap<Source, number>
  /** The first two of each name; with one of them left out there is still the other. */
  readonly #named = new Map<string, Source[]>()
  /** The first two of those whose names continue a text behind a dot. */
  readonly #continuing = new Map<string, Source[]>()

  constructor(sources: readonly Source[], nameOf: (source: Source) => string) {
    const ordered = [...sources].sort((a, b) => compareText(a.path, b.path) || compareText(a.verb, b.verb))
    this.#rank = new Map(ordered.map((source, index) => [source, index]))
    for (const source of ordered) {
      const name = nameOf(source)
      note(this.#named, name, source)
      for (const beginning of beginningsOf(name)) note(this.#continuing, beginning, source)
    }
  }

  /** The first other operation, by path and verb, whose name is the wanted one, begins it or continues it. */
  of(source: Source, wanted: string): Source | undefined {
    return [
      ...(this.#named.get(wanted) ?? []),
      ...(this.#continuing.get(wanted) ?? []),
      ...beginningsOf(wanted).flatMap((beginning) => this.#named.get(beginning) ?? []),
    ]
      .filter((other) => other !== source)
      .sort((a, b) => (this.#rank.get(a) ?? 0) - (this.#rank.get(b) ?? 0))[0]
  }
}

function note<Source>(map: Map<string, Source[]>, key: string, source: Source): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [source])
  else if (list.length < 2) list.push(source)
}
