import { arrange, type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { Change } from '../../diff/change/change.js'
import { someNames } from '../../diff/change/protocol.js'
import type { Side } from '../../diff/change/side.js'
import type { WaiverEntry } from '../../diff/gate/waiver.js'
import type { Document } from '../../document/document.js'
import { findConfig } from '../../project/config.js'
import { commandSpecs, projectSpecs } from '../../project/project-specs.js'
import { type Findings, hasErrors } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'
import { readVersion } from './diff-reading.js'
import { versionSource } from './diff-source.js'
import { projectWaivers } from './waivers.js'

/**
 * Adds a warning for each change that breaks callers of the configured baseline. Without a baseline it
 * returns the findings unchanged. Faults of a baseline or of the waivers are findings of their own. Throws
 * UsageError.
 */
export async function withBaselineWarnings(
  examined: readonly Findings[],
  cwd: string,
  stages: Stages,
  remote: boolean,
): Promise<Findings[]> {
  const setting = findConfig(cwd)?.baseline
  if (setting === undefined) return [...examined]
  const waivers = await projectWaivers(undefined, cwd)
  if (hasErrors(waivers)) return [...examined, waivers]
  const found: Findings[] = []
  for (const one of examined) {
    const named = hasErrors(one) ? undefined : await baselineOf(one.file, setting, cwd)
    if (named === undefined) found.push(one)
    else found.push(...(await compareWith(one, named, waivers.waivers, { cwd, stages, remote })))
  }
  return found
}

async function compareWith(
  one: Findings,
  named: string,
  waivers: readonly WaiverEntry[],
  { cwd, stages, remote }: { readonly cwd: string; readonly stages: Stages; readonly remote: boolean },
): Promise<Findings[]> {
  const source = versionSource(named, cwd)
  try {
    const old = await readVersion(source.file, source.cwd, stages, remote, cwd)
    const fresh = await readVersion(one.file, cwd, stages, remote, cwd, old.side)
    if (old.side === undefined || fresh.side === undefined) return [one, { ...old, file: source.name }]
    const warnings = await breaks(old.side, fresh.side, named, waivers)
    return [{ ...one, diagnostics: arrange([...one.diagnostics, ...warnings], one.file) }]
  } finally {
    source.dispose()
  }
}

/** A warning for each breaking change without a waiver. */
async function breaks(
  old: Side,
  fresh: Side,
  named: string,
  waivers: readonly WaiverEntry[],
): Promise<Diagnostic[]> {
  const [{ compare }, { waive }, { failing }] = await Promise.all([
    import('../../diff/compare.js'),
    import('../../diff/gate/waive.js'),
    import('../../diff/gate/gate.js'),
  ])
  const today = new Date().toISOString().slice(0, 10)
  const { changes, bump } = waive(compare(old, fresh, { today }), waivers, today).comparison
  const announce = bump.ok ? '' : `announce it with a ${bump.required} version bump, `
  const remedy = `Revert it, ${announce}or waive it. duet diff ${named} ${fresh.document.file} shows the whole review.`
  return failing(changes, 'breaking').map((change) =>
    diagnose('breaking-change', sentence(change, old.version), placeIn(fresh.document, change), { remedy }),
  )
}

/** The baseline of a document. Undefined if there is none, or if it is the document itself. */
async function baselineOf(
  file: string,
  setting: string | Readonly<Record<string, string>>,
  cwd: string,
): Promise<string | undefined> {
  const named =
    typeof setting === 'string'
      ? setting
      : Object.entries(setting).find(([spec]) => commandSpecs([spec], cwd)[0] === file)?.[1]
  if (named === 'previous') return await previousOf(file, cwd)
  if (named === undefined || named.startsWith('git:')) return named
  return commandSpecs([named], cwd)[0] === file ? undefined : named
}

/** The version before this one, among the project's documents. */
async function previousOf(file: string, cwd: string): Promise<string | undefined> {
  const [{ loadDocument }, { previousVersion }] = await Promise.all([
    import('../../load/load.js'),
    import('../../diff/gate/previous.js'),
  ])
  const versionOf = (spec: string): string => {
    const info = loadDocument(spec, { cwd }).document?.root.info
    return typeof info === 'object' && info !== null && 'version' in info ? String(info.version) : ''
  }
  const files = new Map(projectSpecs(cwd).map((spec) => [versionOf(spec), spec]))
  const previous = previousVersion(versionOf(file), [...files.keys()])
  return previous === undefined ? undefined : files.get(previous)
}

function sentence({ operation, message, protocols }: Change, version: string): string {
  const where = operation === null ? '' : ` of ${operation}`
  const names = someNames(protocols)
  const over = names === '' ? '' : ` over ${names}`
  return `Callers${where} in ${version} notice${over}: ${message}`
}

/** The position of the change in the new document. For removed parts, the position that they would have. */
function placeIn(document: Document, { old, new: fresh }: Change): Diagnostic['at'] {
  if (fresh === null) return document.locate(old?.pointer ?? '#')
  const { file, line, column } = fresh
  return { file, line, column }
}
