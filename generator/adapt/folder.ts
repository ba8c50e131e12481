import { readHandlerFiles } from '../stubs/handler-files.js'
import { differences } from '../stubs/report.js'
import type { Adaptation } from './adaptation.js'
import { type Apis, derivedFile, reasonsLeft, stepName } from './derived-file.js'
import { type Merged, mergeTeamFile } from './team-file.js'

/** What writing a step would do to the folder of adapters. */
export interface Planned extends Merged {
  /** One line for each file and operation that is out of step. */
  readonly stale: readonly string[]
  /** Whether the team's file is missing: nothing exports the adapter. */
  readonly isUnserved: boolean
}

/** Plans both files of a step. Reads the folder, writes nothing. Symbolic links are not followed. */
export function planFolder(folder: string, adaptation: Adaptation, apis: Apis): Planned {
  const { files } = readHandlerFiles(folder)
  const path = `${stepName(adaptation)}.derived.ts`
  const text = derivedFile(adaptation, apis)
  const merged = mergeTeamFile(files, adaptation, apis)
  const write = new Map(merged.write)
  const isDerivedStale = files.get(path) !== text
  if (isDerivedStale) write.set(path, text)
  const [generated] = isDerivedStale ? differences(files, new Map([[path, text]]), []) : []
  const team = `${stepName(adaptation)}.ts`
  const isUnserved = !files.has(team)
  const reasons = new Map(
    adaptation.operations.map((operation) => [operation.name, reasonsLeft(operation)[0] ?? '']),
  )
  const stale = [
    ...(generated === undefined ? [] : [`stale    ${generated.file}: ${generated.reason}`]),
    ...(isUnserved ? [`missing  ${team}: nothing exports the adapter`] : []),
    ...merged.added.map((name) => `missing  ${name} (${team}): ${reasons.get(name) ?? ''}`),
    ...[...merged.removed, ...merged.parked].map((name) => `surplus  ${name} (${team}): it needs no code`),
    ...merged.left.map((text) => `left     ${text}`),
  ]
  return { ...merged, write, stale, isUnserved }
}
