import { ProblemError } from 'duet-runtime'
import { minimised } from '../diff/proof/instances/minimise.js'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject, own } from '../document/json.js'
import type { Adaptation, AdaptedOperation, Part, PartName } from './adaptation.js'
import type { Attacker } from './attack.js'
import { applied } from './plan.js'

/** The team's converters of a step, as its built module exports them. */
export type Module = Readonly<Record<string, unknown>>

/** What one converter of the team did to the values that were tried. */
export interface Trial {
  readonly operation: string
  readonly part: PartName
  readonly cases: number
  readonly fault?: Fault
}

interface Fault {
  /** `loses /name`, or why the receiver refuses what the converter makes. */
  readonly what: string
  /** The value before. */
  readonly value: Json
}

/** Runs the team's converters on values that the sender accepts. */
export async function trials(
  { operations }: Pick<Adaptation, 'operations'>,
  module: Module,
  attacker: Attacker,
): Promise<readonly Trial[]> {
  const found: Trial[] = []
  for (const operation of operations) {
    const entry = Object.hasOwn(module, operation.name) ? module[operation.name] : undefined
    if (operation.kind !== 'written' || typeof entry !== 'object' || entry === null) continue
    const members = new Map<string, unknown>(Object.entries(entry))
    for (const part of operation.parts) {
      const convert = members.get(part.name)
      if (typeof convert !== 'function') continue
      const call = async (value: Json): Promise<Json> => (await convert.call(entry, value, {})) ?? null
      found.push(await tried(operation, part, call, hasLoss(members), attacker))
    }
  }
  return found
}

function hasLoss(entry: ReadonlyMap<string, unknown>): boolean {
  const loss = entry.get('loss')
  return typeof loss === 'string' && loss.trim() !== ''
}

async function tried(
  { name, before, after }: AdaptedOperation,
  part: Part,
  convert: (value: Json) => Promise<Json>,
  isDeclared: boolean,
  attacker: Attacker,
): Promise<Trial> {
  const about = { operation: name, part: part.name }
  if (after === undefined) return { ...about, cases: 0 }
  const cases = attacker.cases(part.name, before, after)
  for (const value of cases) {
    if ((await faultOf(value)) === undefined) continue
    // A call that omits a param with a default is smaller.
    const fault = async (less: Json): Promise<string | undefined> => {
      const whole = attacker.accepted(part.name, before, after, less)
      return whole === undefined ? undefined : faultOf(whole)
    }
    const least = await minimised(value, async (less) => (await fault(less)) !== undefined)
    return { ...about, cases: cases.length, fault: { what: (await fault(least)) ?? '', value: least } }
  }
  return { ...about, cases: cases.length }

  async function faultOf(value: Json): Promise<string | undefined> {
    let made: Json
    try {
      made = await convert(clone(value))
    } catch (error) {
      if (error instanceof ProblemError)
        return isDeclared ? undefined : `answers ${error.code}, and declares no loss`
      return `throws ${error instanceof Error ? error.message : String(error)}`
    }
    const touched = touchedPath(applied(part.plan, value), made, '', part)
    if (touched !== undefined) return touched
    return attacker.refusal(part.name, before, after as NonNullable<typeof after>, made)
  }
}

/** The path of the first member that both versions know and that a converter removes or changes. */
function touchedPath(
  expected: Json,
  made: Json | undefined,
  path: string,
  { obstacles }: Pick<Part, 'obstacles'>,
): string | undefined {
  if (obstacles.some((obstacle) => covers(obstacle.path, path))) return undefined
  if (made === undefined) return `loses ${path}`
  if (isArray(expected) && isArray(made)) {
    if (expected.length !== made.length) return `changes the length of ${path || 'the list'}`
    return first(expected, (item, index) => touchedPath(item, made[index], `${path}/${index}`, { obstacles }))
  }
  if (isObject(expected) && isObject(made))
    return first(Object.entries(expected), ([name, member]) =>
      touchedPath(member, own(made, name), `${path}/${name}`, { obstacles }),
    )
  return JSON.stringify(expected) === JSON.stringify(made) ? undefined : `changes ${path || 'the value'}`
}

function first<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a path is at or below one with `*` for any item. */
function covers(pattern: string, path: string): boolean {
  const [parts, names] = [pattern.split('/').slice(1), path.split('/').slice(1)]
  return parts.length <= names.length && parts.every((part, index) => part === '*' || part === names[index])
}
