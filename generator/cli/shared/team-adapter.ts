import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Adaptation, AdaptedOperation } from '../../adapt/adaptation.js'
import type { Attacker } from '../../adapt/attack.js'
import { stepName } from '../../adapt/derived-file.js'
import type { Planned } from '../../adapt/folder.js'
import { otherCode } from '../../adapt/team/same-code.js'
import { StandIns } from '../../adapt/team/stand-in.js'
import { teamTrials } from '../../adapt/team/team-trials.js'
import type { Team, Tried } from '../../adapt/team/trial.js'
import { loadFile, loadFiles } from '../../project/modules/module.js'
import { inStepNow } from '../../project/modules/supervision.js'
import { listed } from '../../project/terminal.js'

/** Tries what the team has written for a step. Runs nothing while all of it are stubs. */
export async function tryTeamFile(
  folder: string,
  adaptation: Adaptation,
  { stubs, added }: Pick<Planned, 'stubs' | 'added'>,
  attacker: Attacker,
): Promise<Tried> {
  const open = new Set([...stubs, ...added])
  const isLeft = ({ kind, name }: AdaptedOperation): boolean =>
    (kind === 'written' || kind === 'gone') && !open.has(name)
  const step = resolve(folder, stepName(adaptation))
  const [file, check, derived] = [`${step}.ts`, `${step}.check.ts`, `${step}.derived.ts`]
  // Without the files of a step, nothing serves it.
  if (!existsSync(file) && !adaptation.operations.some(isLeft)) return { entries: [], trials: [] }
  const generated = existsSync(derived) ? derived : undefined
  const own = loadTeam(file, generated)
  const loaded = 'team' in own && existsSync(check) ? loadTeam(check, generated) : own
  if ('unloaded' in loaded) {
    // Stubs need the generated package, which may not be built yet.
    const hasCode = open.size === 0 || adaptation.operations.some(isLeft)
    return { entries: [], trials: [], ...(hasCode && { unloaded: loaded.unloaded }) }
  }
  const names = Object.keys(loaded.team.adapter).filter((name) => !open.has(name))
  const others = 'team' in own && own !== loaded ? otherCode(loaded.team, own.team, names) : []
  const trials = await teamTrials(adaptation, { ...loaded.team, open }, attacker)
  return { entries: names, trials: [...others, ...trials] }
}

/**
 * Why nothing counts as adapted. The gate compares step by step: it joins no adapters of two steps.
 *
 * @param derived the name of the derived file
 * @param shown the folder, for people
 */
export function withoutAdapters(folder: string, derived: string, shown: string): string {
  if (existsSync(resolve(folder, derived)))
    return `No adapter counts: ${shown}/${derived} is not what duet adapt writes today. Write it again.`
  const steps = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.derived.ts')) : []
  const others = steps.map((name) => name.replace('.derived.ts', '')).sort()
  const known = others.length === 0 ? '' : ` It has ${listed(others)}: compare the two versions of each step.`
  return `No adapter counts: ${shown} has no ${derived}.${known}`
}

type LoadedTeam = { readonly team: Team } | { readonly unloaded: string }

/**
 * Runs the module of a team's adapter: what it exports as `adapter`, as its default or as its only export, or what a
 * function of that name returns. A function gets stand-ins for what the service gives it. The module may also export
 * `context` and `checks`, for trials.
 *
 * @param file absolute path
 * @param derived the derived file of the step, which the team's file imports
 */
export function loadTeam(file: string, derived?: string): LoadedTeam {
  if (!existsSync(file)) return { unloaded: 'there is no such file' }
  const standIns = new StandIns()
  try {
    const { own = {}, generated } = inStepNow(`loading ${basename(file)}`, loadSeconds, () =>
      modulesOf(file, derived),
    )
    const { context, checks, ...exported } = own
    const [only, ...others] = Object.values(exported)
    const found = exported.adapter ?? exported.default ?? (others.length === 0 ? only : undefined)
    const adapter: unknown =
      typeof found === 'function'
        ? inStepNow(`the adapter of ${basename(file)}`, loadSeconds, () => built(found, standIns))
        : found
    if (!isObject(adapter))
      return { unloaded: 'it exports no adapter. Export the object as adapter, or as the default' }
    return {
      team: {
        adapter: { ...adapter },
        standIns,
        ...(isObject(generated?.derived) && { derived: { ...generated.derived } }),
        // Naming the caller changes no response.
        context: { identify() {}, ...(isObject(context) && context) },
        ...(isObject(checks) && { checks: checksOf(checks) }),
      },
    }
  } catch (error) {
    return { unloaded: error instanceof Error ? firstLine(error.message) : String(error) }
  }
}

function modulesOf(file: string, derived: string | undefined) {
  if (derived === undefined) return { own: loadFile(file) }
  return loadFiles(
    dirname(file),
    new Map([
      ['own', file],
      ['generated', derived],
    ]),
  )
}

function checksOf(checks: object): ReadonlyMap<string, () => unknown> {
  return new Map(
    Object.entries(checks).map(([name, check]: [string, unknown]) => {
      if (typeof check !== 'function') throw new TypeError(`checks of ${name} is not a function`)
      return [name, (): unknown => Reflect.apply(check, undefined, [])]
    }),
  )
}

const loadSeconds = 30

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function built(factory: CallableFunction, standIns: StandIns): unknown {
  const given = Array.from({ length: factory.length }, () => standIns.of('the running service'))
  return Reflect.apply(factory, undefined, given)
}

/** Node lists who required a missing module. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
