import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Adaptation } from '../../adapt/adaptation.js'
import type { Attacker } from '../../adapt/attack.js'
import { stepName } from '../../adapt/derived-file.js'
import type { Planned } from '../../adapt/folder.js'
import { StandIns } from '../../adapt/stand-in.js'
import { teamTrials } from '../../adapt/team-trials.js'
import type { Team, Tried } from '../../adapt/trial.js'
import { loadFile } from '../../project/module.js'

/** Tries what the team has written in its file of a step. Runs nothing while all of it are stubs. */
export async function tryTeamFile(
  folder: string,
  adaptation: Adaptation,
  { stubs, added }: Pick<Planned, 'stubs' | 'added'>,
  attacker: Attacker,
): Promise<Tried> {
  const open = new Set([...stubs, ...added])
  const isWritten = adaptation.operations.some(
    ({ kind, name }) => (kind === 'written' || kind === 'gone') && !open.has(name),
  )
  if (!isWritten) return { entries: [], trials: [] }
  const loaded = loadTeam(resolve(folder, `${stepName(adaptation)}.ts`))
  if ('unloaded' in loaded) return { entries: [], trials: [], unloaded: loaded.unloaded }
  const { adapter, standIns } = loaded.team
  const written = Object.fromEntries(Object.entries(adapter).filter(([name]) => !open.has(name)))
  return {
    entries: Object.keys(written),
    trials: await teamTrials(adaptation, { adapter: written, standIns }, attacker),
  }
}

type LoadedTeam = { readonly team: Team } | { readonly unloaded: string }

/**
 * Runs the module of a team's adapter: what it exports as `adapter`, as its default or as its only export, or what a
 * function of that name returns. A function gets stand-ins for what the service gives it.
 *
 * @param file absolute path
 */
export function loadTeam(file: string): LoadedTeam {
  if (!existsSync(file)) return { unloaded: 'there is no such file' }
  const standIns = new StandIns()
  try {
    const exported = loadFile(file)
    const [only, ...others] = Object.values(exported)
    const found = exported.adapter ?? exported.default ?? (others.length === 0 ? only : undefined)
    const adapter: unknown = typeof found === 'function' ? built(found, standIns) : found
    if (typeof adapter === 'object' && adapter !== null)
      return { team: { adapter: { ...adapter }, standIns } }
    return { unloaded: 'it exports no adapter. Export the object as adapter, or as the default' }
  } catch (error) {
    return { unloaded: error instanceof Error ? firstLine(error.message) : String(error) }
  }
}

function built(factory: CallableFunction, standIns: StandIns): unknown {
  const given = Array.from({ length: factory.length }, () => standIns.of('the running service'))
  return Reflect.apply(factory, undefined, given)
}

/** Node lists who required a missing module. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
