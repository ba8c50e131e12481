import { compareText } from '../../document/cursor.js'
import { beginningsOf } from './taken-names.js'

interface Route {
  readonly verb: string
  readonly path: string
}

/** Finds the operation that prevents another from having its wanted name. */
export class Rivals<Source extends Route> {
  readonly #rank: ReadonlyMap<Source, number>
  /** The first two of each name. If one of them is excluded, the other remains. */
  readonly #named = new Map<string, Source[]>()
  /** The first two whose names continue a text after a dot. */
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

  /** The first other operation, by path and verb, whose name equals the wanted one, begins it or continues it. */
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
