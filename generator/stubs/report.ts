/** What scaffolding did, or would do, for a person and for a program. */
export interface Report {
  readonly version: string
  /** Version that the folder was at; absent: it has no record of one. */
  readonly from?: string
  readonly added: readonly Entry[]
  /** Renamed, moved, at another address, put back, or written anew in a part that duet owns. */
  readonly changed: readonly (Entry & { readonly what: string })[]
  readonly parked: readonly Entry[]
  /** What a person has to look at, with what to do. */
  readonly left: readonly Left[]
}

export interface Entry {
  readonly operation: string
  readonly file: string
}

export interface Left {
  readonly file: string
  readonly reason: string
  /** What to write there by hand. */
  readonly add?: readonly string[]
  /** It is code outside the folder, which is not looked at: nothing says that it is not in step. */
  readonly outside?: true
}

/** A report being made. */
export class Findings {
  readonly added: Entry[] = []
  readonly changed: (Entry & { readonly what: string })[] = []
  readonly parked: Entry[] = []
  readonly left: Left[] = []

  /** The report with its entries in order and each of them once. */
  toReport(version: string, from: string | undefined): Report {
    return {
      version,
      ...(from !== undefined && { from }),
      added: sorted(this.added),
      changed: sorted(this.changed),
      parked: sorted(this.parked),
      left: joined(this.left),
    }
  }
}

/** What is to be written by hand into one file for one reason comes together. */
function joined(left: readonly Left[]): Left[] {
  const groups = new Map<string, Omit<Left, 'add'> & { readonly add: Set<string> }>()
  for (const { add = [], ...place } of left) {
    const { file, reason } = place
    const id = JSON.stringify([file, reason])
    const group = groups.get(id) ?? { ...place, add: new Set<string>() }
    for (const line of add) group.add.add(line)
    groups.set(id, group)
  }
  return sorted(
    [...groups.values()].map(({ add, ...place }) => ({
      ...place,
      ...(add.size > 0 && { add: [...add].sort() }),
    })),
  )
}

function sorted<T>(entries: readonly T[]): T[] {
  const keyed = [...new Map(entries.map((entry) => [JSON.stringify(entry), entry]))]
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}
