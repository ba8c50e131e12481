/** What scaffolding did, or would do, for a person and for a program. */
export interface Report {
  readonly version: string
  /** Version of the folder before. Absent: it has no record. */
  readonly from?: string
  readonly added: readonly Entry[]
  /** Renamed, moved, at another address, or written anew in a part that duet owns. */
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
  /** The code is outside the folder. Duet does not read it, so it may be in step. */
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

/** The first line of each file that scaffolding would change. */
export function differences(
  before: ReadonlyMap<string, string>,
  write: ReadonlyMap<string, string>,
  remove: readonly string[],
): Left[] {
  const written = [...write].map(([file, text]) => ({ file, reason: differenceOf(before.get(file), text) }))
  const removed = remove.map((file) => ({ file, reason: 'it would be removed' }))
  return [...written, ...removed].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Joins entries with the same file and reason. */
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

function differenceOf(before: string | undefined, after: string): string {
  if (before === undefined) return 'it is missing'
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = now.findIndex((line, index) => line !== old[index])
  const line = at === -1 ? now.length : at
  return `line ${line + 1} would be ${now[line] === undefined ? 'the end' : now[line].trim() || 'empty'}`
}
