import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Adaptation } from '../adapt/adaptation.js'
import type { RoundTrip } from '../adapt/laws.js'
import type { Trial, Tried } from '../adapt/team/trial.js'
import type { Merged } from '../adapt/team-file.js'
import { withLocks } from '../cache/lock.js'
import type { Side } from '../diff/change/side.js'
import { displayPath } from '../document/file.js'
import { exitCode } from '../project/exit-code.js'
import { progressOn } from '../project/progress.js'
import { amount, jsonText, listed, printable, type Terminal } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import { readVersions } from './diff/diff-reading.js'
import { versionSource } from './diff/diff-source.js'
import { commit } from './generate/transaction.js'
import { waitingOn } from './generate/write-all.js'
import { adapterFolder, stagesOfCode } from './shared/adapter-folder.js'
import type { AddCommand } from './shared/add-command.js'
import { allowRemote } from './shared/examine.js'
import { hasErrors, reportErrors } from './shared/report.js'
import type { Stages } from './shared/stages.js'
import { wholeNumber } from './shared/whole-number.js'

interface AdaptOptions {
  readonly out?: string
  readonly check?: true
  readonly format: 'text' | 'json'
  readonly cases: number
  readonly seed: string
  readonly module?: string
  readonly allowRemote?: true
}

interface Request extends AdaptOptions {
  /** Both versions, as the command line names them. */
  readonly named: readonly string[]
}

/** Adds `duet adapt`, which writes what one version needs to be served by the next one. */
export const addAdapt: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('adapt')
    .summary('serve a version with the handlers of the next one')
    .description(
      'Compares two versions operation by operation, and writes the converters between them: those that follow from the documents, and stubs for the others.',
    )
    .argument('<old>', 'a file, a version under spec/, or git:REV:PATH')
    .argument('<new>', 'the next version, in the same form')
    .option('--out <dir>', 'folder of the adapters (default: adapters of the config file, else adapters)')
    .option(
      '--check',
      'write nothing; fail if the adapters do not match the documents, do not compile, or fail for a call',
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addOption(
      new Option('--cases <number>', 'values to try where nothing is proved')
        .argParser(wholeNumber(1, 6, 'Write a whole number from 1 to 999999.'))
        .default(100),
    )
    .option('--seed <text>', 'chooses the values', '1')
    .option('--module <file>', "a module whose converters are tried instead of those of the team's file")
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (old: string, fresh: string, options: AdaptOptions) => {
      exit(await runAdapt(old, fresh, options, terminal, stages))
    })
}

const examples = `
Examples:
  duet adapt 1.0.0 1.1.0                     write adapters/1.0.0-to-1.1.0.ts and .derived.ts
  duet adapt 1.0.0 1.1.0 --check             in CI: do the adapters match the documents and compile?
  duet adapt 1.1.0 2.0.0 --cases 1000        try more values where nothing is proved
  duet adapt 1.1.0 2.0.0 --check --module built/adapter.js
                                             try the converters of another module
  duet adapt git:main:openapi.yaml openapi.yaml --format json

Kinds: identity, every call and result passes as it is; derived, the converter follows from the documents; written, you
write it; gone, the next version has no such operation.

Exit codes: 0 fine; 1 the check failed, or a converter fails for a value; 2 wrong usage; 3 errors in a document.
`

async function runAdapt(
  old: string,
  fresh: string,
  options: AdaptOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const one = versionSource(old, terminal.cwd)
  const sources = [one]
  try {
    const other = versionSource(fresh, terminal.cwd)
    sources.push(other)
    const project = terminal.cwd
    const places = [
      { ...one, project },
      { ...other, project },
    ] as const
    const progress = progressOn(terminal)
    progress(`reading ${old} and ${fresh}`)
    const read = await readVersions(places, stagesOfCode(stages, project), options.allowRemote, project)
    progress()
    const [before, after] = read.map(({ side }) => side)
    if (before === undefined || after === undefined)
      return reportErrors(read.filter(hasErrors), options.format === 'json', terminal, { ok: false })
    if (before.model === undefined || after.model === undefined || before.version === after.version)
      throw new UsageError(
        `${one.name} and ${other.name} are both version ${before.version}. Adapters are between two versions.`,
      )
    return await adapt(before, after, { ...options, named: [old, fresh] }, terminal)
  } finally {
    for (const source of sources) source.dispose()
  }
}

async function adapt(before: Side, after: Side, options: Request, terminal: Terminal): Promise<number> {
  const [{ adaptationOf }, { Attacker }, { roundTrips }, { teamTrials }, { loadTeam, tryTeamFile }] =
    await Promise.all([
      import('../adapt/adaptation.js'),
      import('../adapt/attack.js'),
      import('../adapt/laws.js'),
      import('../adapt/team/team-trials.js'),
      import('./shared/team-adapter.js'),
    ])
  const { model: older } = before
  const { model: next } = after
  if (older === undefined || next === undefined) throw new Error('A document has no model')
  const progress = progressOn(terminal)
  progress(`trying converters between ${older.version} and ${next.version}`)
  const attacker = new Attacker(older, next, { count: options.cases, seed: options.seed })
  const adaptation = adaptationOf(before, after, attacker.attack)
  const laws = await roundTrips(adaptation, attacker)
  progress()
  const loaded = options.module === undefined ? undefined : loadTeam(resolve(terminal.cwd, options.module))
  if (loaded !== undefined && 'unloaded' in loaded)
    throw new UsageError(`${options.module} cannot be tried: ${loaded.unloaded}`)
  const { folder, apis } = adapterFolder(options.out, [older, next], terminal)
  const plan = async () => (await import('../adapt/folder.js')).planFolder(folder, adaptation, apis)
  const write = async () => {
    const planned = await plan()
    const texts = [...planned.write].map(([path, text]) => [resolve(folder, path), text] as const)
    commit({ write: new Map(texts), remove: [], roots: [folder] })
    return planned
  }
  const planned = await (options.check ? plan() : withLocks([folder], write, waitingOn(terminal)))
  const label = displayPath(folder, terminal.cwd) || '.'
  progress(`trying the code of ${label}`)
  const { trials: tried, unloaded }: Pick<Tried, 'trials' | 'unloaded'> =
    loaded !== undefined
      ? { trials: await teamTrials(adaptation, loaded.team, attacker) }
      : options.check
        ? await tryTeamFile(folder, adaptation, planned, attacker)
        : { trials: [] }
  progress()
  const [{ untriedLines }, { stepName }] = await Promise.all([
    import('../adapt/team/untried.js'),
    import('../adapt/derived-file.js'),
  ])
  const step = stepName(adaptation)
  const faults = [
    ...(await faultLines(adaptation, laws, tried)),
    ...(options.check ? untriedLines(tried, step) : []),
    ...(unloaded === undefined ? [] : [`untried  ${label}: its code cannot be loaded: ${unloaded}`]),
  ]
  const stale = options.check === true ? [...planned.stale] : []
  if (options.check === true && stale.length === 0)
    stale.push(...(await typeFaults(folder, step, apis.older, label, terminal)))
  return await report({ adaptation, laws, tried, planned, faults, stale, label }, options, terminal)
}

interface Outcome {
  readonly adaptation: Adaptation
  readonly laws: readonly RoundTrip[]
  readonly tried: readonly Trial[]
  readonly planned: Pick<Merged, 'losses' | 'stubs' | 'added' | 'removed' | 'parked' | 'left' | 'write'>
  /** Converters that fail for a value. */
  readonly faults: readonly string[]
  /** What a check found out of step. */
  readonly stale: readonly string[]
  readonly label: string
}

async function report(
  { adaptation, laws, tried, planned, faults, stale, label }: Outcome,
  options: Request,
  terminal: Terminal,
): Promise<number> {
  const { tableText, tableValue } = await import('../adapt/report.js')
  const isOk = faults.length + stale.length === 0
  const code = isOk ? exitCode.fine : exitCode.failed
  if (options.format === 'json') {
    const { added, removed, parked, left, write } = planned
    const files = options.check ? {} : { written: [...write.keys()].sort(), added, removed, parked, left }
    const value = { ok: isOk, ...tableValue(adaptation, planned, laws, tried), ...files, stale, faults }
    terminal.out(jsonText(value))
    return code
  }
  const line = (text: string): void => {
    for (const one of text.split('\n')) terminal.out(`${printable(one)}\n`)
  }
  line(tableText(adaptation, planned).replace(/\n$/, ''))
  const tripLine = (read: string, write: string, cases: number, lost: readonly string[] = []): void => {
    const but = lost.length === 0 ? '' : `, but for ${listed(lost)}`
    line(`What ${read} reads can be written back with ${write}: held over ${amount(cases, 'case')}${but}`)
  }
  if (laws.length > 0) line('')
  for (const { read, write, cases, lost } of laws) tripLine(read, write, cases, lost)
  for (const { operation, part, cases, refused, reads, lost, fault, untried } of tried)
    if (fault === undefined && reads !== undefined) tripLine(reads, operation, cases, lost)
    else if (fault === undefined && untried === undefined)
      line(
        `${operation} ${part}: ${part === 'check' ? 'passed' : `held over ${amount(cases, 'case')}`}${
          refused === undefined ? '' : `, refuses ${refused}`
        }`,
      )
    else if (untried !== undefined && !options.check) line(`${operation} ${part}: not tried: ${untried}`)
  for (const text of faults) line(text)
  if (options.check) {
    for (const text of stale) line(text)
    for (const name of planned.stubs.filter((one) => !planned.added.includes(one)))
      line(`stub     ${name}: answers a problem to every call`)
    const { green, red } = terminal.outColours
    const what = `${printable(label)} with ${printable(`${adaptation.older.version} and ${adaptation.next.version}`)}`
    const command = [
      'duet adapt',
      ...options.named,
      ...(options.out === undefined ? [] : ['--out', options.out]),
    ]
    const remedy = planned.write.size === 0 ? '' : `. Remedy: run ${printable(command.join(' '))}`
    terminal.out(`${isOk ? green('in step') : red('not in step')}: ${what}${remedy}\n`)
    return code
  }
  for (const name of planned.removed) line(`removed  ${name}: its untouched stub is not needed`)
  for (const name of planned.parked) line(`parked   ${name}: it needs no code`)
  for (const text of planned.left) line(`left     ${text}`)
  terminal.out(`${amount(planned.write.size, 'file')} written (${printable(label)})\n`)
  return code
}

async function faultLines(
  adaptation: Adaptation,
  laws: readonly RoundTrip[],
  tried: readonly Trial[],
): Promise<readonly string[]> {
  const lines: string[] = []
  const { counterexampleLines } = await import('../adapt/counterexample.js')
  const show = async (name: string, part: Trial['part'], value: Trial['fault'] & object): Promise<void> => {
    const operation = adaptation.operations.find((one) => one.name === name)
    if (operation === undefined || value.value === undefined) return
    const sent = part === 'handle' || part === 'entry' || part === 'check' ? 'params' : part
    for (const text of await counterexampleLines(adaptation, operation, sent, value.value))
      lines.push(`         ${text}`)
  }
  for (const { name, parts } of adaptation.operations) {
    for (const { name: part, verdict } of parts) {
      if (verdict.kind !== 'failed') continue
      const what =
        'the derived converter makes an invalid value. Write this entry yourself, after those of derived'
      lines.push(`fails    ${name} ${part}: ${what}`)
      await show(name, part, { what, value: verdict.value })
    }
  }
  for (const { operation, part, fault } of tried) {
    if (fault === undefined) continue
    lines.push(`fails    ${operation} ${part}: ${fault.what}`)
    await show(operation, part, fault)
  }
  for (const { read, write, counterexample } of laws) {
    if (counterexample === undefined) continue
    const what = `what it reads is not what ${write} writes back`
    lines.push(`fails    ${read} result: ${what}`)
    await show(read, 'result', { what, value: counterexample.result })
  }
  return lines
}

/** Type errors of the files of a step: a forgotten entry does not compile. */
async function typeFaults(
  folder: string,
  step: string,
  api: string,
  label: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { compile } = await import('../stubs/compile.js')
  const check = `${step}.check.ts`
  const checks = existsSync(resolve(folder, check)) ? [check] : []
  const compiled = await compile(folder, [`${step}.derived.ts`, `${step}.ts`, ...checks], api)
  if ('unchecked' in compiled) {
    terminal.err(`${printable(`The types of ${label} are not checked: ${compiled.unchecked}.`)}\n`)
    return []
  }
  return compiled.errors.map(
    ({ file, line, column, code, message }) =>
      `types    ${label}/${file}:${line}:${column} ${code}: ${message}`,
  )
}
