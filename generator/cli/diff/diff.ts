import { InvalidArgumentError, Option } from 'commander'
import type { Protocol, ShadowChanges } from 'duet-runtime'
import type { Comparison } from '../../diff/change/change.js'
import { protocols } from '../../diff/change/protocol.js'
import type { Side } from '../../diff/change/side.js'
import { isBad } from '../../diff/decide/judgement.js'
import type { FailOn, Gate } from '../../diff/gate/gate.js'
import { displayPath } from '../../document/file.js'
import { exitCode } from '../../project/exit-code.js'
import { progressOn } from '../../project/progress.js'
import { printable, type Terminal } from '../../project/terminal.js'
import { UsageError } from '../../project/usage-error.js'
import type { AddCommand } from '../shared/add-command.js'
import { allowRemote } from '../shared/examine.js'
import { hasErrors, reportErrors, textReport } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'
import { wholeNumber } from '../shared/whole-number.js'
import { readVersions } from './diff-reading.js'
import { formats, type Output, outputOptions, outputsOf, type ReportOptions, report } from './diff-report.js'
import { versionSource } from './diff-source.js'
import { referenceOption, referencesIn, referencesOf } from './reference.js'
import { usageFor } from './usage.js'
import { projectWaivers, type Waivers } from './waivers.js'

interface DiffOptions extends ReportOptions {
  readonly protocol: Protocol | 'all'
  readonly failOn: FailOn
  readonly requireBump?: true
  readonly waivers?: string
  readonly adapters?: string | true
  readonly proofTime?: number
  readonly noticeDays?: number
  readonly usage?: readonly string[]
  readonly usageDays?: number
  readonly usageCalls?: number
  readonly reference?: string
  readonly allowRemote?: true
}

/** Adds `duet diff`, which compares two versions for each protocol. */
export const addDiff: AddCommand = (program, terminal, stages, exit) => {
  const [format, out] = outputOptions(formats)
  program
    .command('diff')
    .summary('what changed between two versions, protocol by protocol')
    .description('Compares two versions of a document and shows what callers notice over each protocol.')
    .argument('<old>', 'a file, a version under spec/, or git:REV:PATH')
    .argument('<new>', 'the new version, in the same form')
    .addOption(
      new Option('--protocol <protocol>', 'whose callers count')
        .choices([...protocols, 'all'])
        .default('all'),
    )
    .addOption(
      new Option('--fail-on <level>', 'lowest level of changes that fail')
        .choices(['breaking', 'dangerous', 'any', 'none', 'used'])
        .default('breaking'),
    )
    .option('--require-bump', 'also fail if the version bump is too small')
    .option('--waivers <file>', 'file of accepted changes (default: waivers of the config file)')
    .option(
      '--adapters [dir]',
      'changes that an adapter covers do not fail (default: adapters of the config file, else adapters)',
    )
    .addOption(format)
    .addOption(out)
    .addOption(
      new Option('--proof-time <seconds>', 'time limit of proofs (default: a limit of tries)').argParser(
        secondsOf,
      ),
    )
    .addOption(
      new Option(
        '--notice-days <days>',
        'days of notice that a deprecation must give before its sunset',
      ).argParser(wholeNumber(0, 5, 'Write a whole number of days.')),
    )
    .option(
      '--usage <ledger>',
      'JSON lines of calls (docs/how-to/usage.md): who depends on what breaks; repeatable',
      (file, before: string[] = []) => [...before, file],
    )
    .addOption(
      new Option(
        '--usage-days <days>',
        'days that ledgers must cover before a change is unused (default: 30)',
      ).argParser(wholeNumber(1, 12, 'Write a whole number from 1.')),
    )
    .addOption(
      new Option(
        '--usage-calls <calls>',
        'calls that they must have before a change is unused (default: 1000)',
      ).argParser(wholeNumber(1, 12, 'Write a whole number from 1.')),
    )
    .option(...referenceOption)
    .option('--verbose', 'add the proof, places and fingerprint of each change to the text')
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (old: string, fresh: string, options: DiffOptions) => {
      exit(await review(old, fresh, options, terminal, stages))
    })
}

const examples = `
Examples:
  duet diff 1.0.0 1.1.0                              two versions under spec/
  duet diff git:main:openapi.yaml openapi.yaml       a commit against the working tree
  duet diff old.yaml new.yaml --protocol jsonrpc     what JSON-RPC callers notice
  duet diff 1.0.0 1.1.0 --verbose                    with proofs, places and fingerprints
  duet diff 1.0.0 1.1.0 --format html --out review.html
                                                     a page with filters, both versions side by side, and proofs to copy
  duet diff 1.0.0 1.1.0 --format html --out review.html --reference 'https://api.example.com/{version}/reference/'
                                                     with links to both references, where no generated ones are
  duet diff 1.0.0 1.1.0 --format markdown            a comment for a pull request
  duet diff 1.0.0 1.1.0 --format sarif --out diff.sarif
                                                     for code scanning; junit for test reports, github for annotations
  duet diff 1.0.0 1.1.0 --format markdown --out review.md --format json --out review.json
                                                     several reports of one review
  duet diff 1.0.0 1.1.0 --format waivers >> waivers.yaml
                                                     entries to fill in, for each change that fails
  duet diff 1.0.0 1.1.0 --waivers waivers.yaml       waived changes do not fail
  duet diff 1.0.0 1.1.0 --usage ledger.jsonl         who calls what breaks, and over which protocol
  duet diff 1.0.0 1.1.0 --usage ledger.jsonl --fail-on used
                                                     breaking changes pass if nobody depends on them
  duet diff 1.0.0 1.1.0 --format shadow --out shadow.json
                                                     for services that try calls on the next version
  duet diff 1.0.0 1.1.0 --adapters                   changes that an adapter covers do not fail
  duet diff 1.0.0 1.1.0 --fail-on none --require-bump
                                                     breaking changes pass if the version bump announces them

Exit codes: 0 nothing fails; 1 unwaived changes of the --fail-on level, or a waiver that has expired or has no change;
2 wrong usage; 3 errors in a document or in the waivers.
`

async function review(
  old: string,
  fresh: string,
  options: DiffOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const outputs = outputsOf(options)
  if (options.failOn === 'used' && options.usage === undefined)
    throw new UsageError('--fail-on used needs a ledger: --usage FILE')
  const waivers = await projectWaivers(options.waivers, terminal.cwd)
  if (hasErrors(waivers)) return reportErrors([waivers], isJsonPrinted(outputs), terminal)
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
    const used = options.adapters === undefined ? stages : await stagesForAdapters(stages, project)
    const progress = progressOn(terminal)
    progress(`reading ${old} and ${fresh}`)
    const read = await readVersions(places, used, options.allowRemote, project)
    const [before, after] = read.map(({ side }) => side)
    if (before === undefined || after === undefined) {
      progress()
      return reportErrors(read.filter(hasErrors), isJsonPrinted(outputs), terminal)
    }
    const [{ compare }, { forProtocol }, { waive }, { gateOf }] = await Promise.all([
      import('../../diff/compare.js'),
      import('../../diff/change/protocol.js'),
      import('../../diff/gate/waive.js'),
      import('../../diff/gate/gate.js'),
    ])
    const today = new Date().toISOString().slice(0, 10)
    const timeMs = options.proofTime && 1000 * options.proofTime
    const { noticeDays = 0 } = options
    progress(`comparing ${old} with ${fresh}`)
    const found = compare(before, after, { today, noticeDays })
    progress(`proving ${found.changes.filter(isBad).length} changes between ${old} and ${fresh}`)
    const proven = await withProofs(found, before, after, timeMs)
    progress()
    const shadow = await shadowFor(outputs, options, proven, before, after)
    const usage = await usageFor(options, proven, shadow, { old: before, today }, terminal)
    const waived = waive(usage?.comparison ?? proven, waivers.waivers, today, usage?.usage)
    const adapted = await withAdapters(waived.comparison, before, after, options, terminal)
    const compared = forProtocol(adapted, options.protocol)
    const comparison: Comparison = {
      ...compared,
      old: { file: one.name, version: before.version },
      new: { file: other.name, version: after.version },
    }
    const doubts = [one, other].map(({ name }, index) => doubt(name, read[index]?.tolerated ?? 0))
    for (const warning of new Set(doubts)) terminal.err(warning)
    const [oldFiles = [], newFiles = []] = read.map(({ files }) => files)
    const { failOn, requireBump = false } = options
    const gate = gateOf(comparison, { failOn, requireBump }, waived.stale)
    const texts = { old: oldFiles, new: newFiles }
    const references = (out: string | undefined) =>
      referencesOf(referencesIn(terminal.cwd, options.reference, out), before, after)
    await report(comparison, gate, outputs, options, { texts, shadow, references }, terminal)
    await explain(comparison, gate, waivers, outputs, terminal)
    return gate.ok ? exitCode.fine : exitCode.failed
  } finally {
    for (const source of sources) source.dispose()
  }
}

/** How calls show the changes, if a format or a ledger needs it. Throws UsageError if a format does in vain. */
async function shadowFor(
  outputs: readonly Output[],
  { usage }: DiffOptions,
  comparison: Comparison,
  before: Side,
  after: Side,
): Promise<ShadowChanges | undefined> {
  const isAsked = outputs.some(({ format }) => format === 'shadow')
  if (!isAsked && usage === undefined) return undefined
  const { signsOf } = await import('../../diff/usage/signs.js')
  const { passingOf } = await import('../../adapt/passing.js')
  const passing = before.model && after.model && passingOf(before.model, after.model)
  const signs = signsOf(comparison, before, after, passing)
  if (signs === undefined && isAsked)
    throw new UsageError(
      '--format shadow needs documents that a service can be generated from: see duet lint',
    )
  return signs
}

/**
 * Adds proofs. Loads the prover only for changes that need one, since it loads the runtime and the validator generator.
 */
async function withProofs(
  comparison: Comparison,
  before: Side,
  after: Side,
  timeMs: number | undefined,
): Promise<Comparison> {
  if (comparison.changes.length === 0) return comparison
  if (!comparison.changes.some(isBad)) {
    const { withEmptiness } = await import('../../diff/proof/instances/emptiness.js')
    return withEmptiness(comparison, before, after)
  }
  const { prove } = await import('../../diff/proof/prove.js')
  return prove(comparison, before, after, { timeMs })
}

async function stagesForAdapters(stages: Stages, project: string): Promise<Pick<Stages, 'buildModel'>> {
  return (await import('../shared/adapter-folder.js')).stagesOfCode(stages, project)
}

/** Adds which changes the adapters of the step cover. Loads the generator of adapters only if they count. */
async function withAdapters(
  comparison: Comparison,
  before: Side,
  after: Side,
  { adapters }: DiffOptions,
  terminal: Terminal,
): Promise<Comparison> {
  if (adapters === undefined || before.model === undefined || after.model === undefined) return comparison
  const [
    { Attacker },
    { adaptationOf },
    { covered },
    { stepName },
    { planFolder },
    { faultLines, untriedLines },
    { adapterFolder },
    { tryTeamFile, withoutAdapters },
  ] = await Promise.all([
    import('../../adapt/attack.js'),
    import('../../adapt/adaptation.js'),
    import('../../adapt/cover.js'),
    import('../../adapt/derived-file.js'),
    import('../../adapt/folder.js'),
    import('../../adapt/team/untried.js'),
    import('../shared/adapter-folder.js'),
    import('../shared/team-adapter.js'),
  ])
  const { folder, apis } = adapterFolder(
    adapters === true ? undefined : adapters,
    [before.model, after.model],
    terminal,
  )
  const attacker = new Attacker(before.model, after.model, { count: 100, seed: '1' })
  const adaptation = adaptationOf(before, after, attacker.attack)
  const planned = planFolder(folder, adaptation, apis)
  const tried = await tryTeamFile(folder, adaptation, planned, attacker)
  if (tried.unloaded !== undefined)
    terminal.err(
      `${printable(`The code of ${displayPath(folder, terminal.cwd) || '.'} does not count: ${tried.unloaded}.`)}\n`,
    )
  const lines = faultLines(tried.trials, adaptation.older.version)
  for (const line of [...lines, ...untriedLines(tried.trials, stepName(adaptation))])
    terminal.err(`${printable(line)}\n`)
  const derived = `${stepName(adaptation)}.derived.ts`
  if (planned.write.has(derived))
    terminal.err(`${printable(withoutAdapters(folder, derived, displayPath(folder, terminal.cwd) || '.'))}\n`)
  return covered(comparison, adaptation, planned, tried)
}

/**
 * The warning about a document with errors; empty without any. The comparison continues, since a released document
 * cannot be corrected.
 */
function doubt(name: string, errors: number): string {
  if (errors === 0) return ''
  const many = errors === 1 ? 'an error' : `${errors} errors`
  return `warning: ${name} has ${many}. duet lint lists them. The comparison may be wrong there.\n`
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds >= 0)) throw new InvalidArgumentError('Write a number of seconds.')
  return seconds
}

/**
 * Writes doubts about the documents, and why the gate fails, to standard error: machine-readable reports have no field
 * for them.
 */
async function explain(
  { pairing }: Comparison,
  gate: Gate,
  waivers: Waivers,
  outputs: readonly Output[],
  terminal: Terminal,
): Promise<void> {
  const { pairingWarning: unlikeness } = await import('../../diff/pairing/score.js')
  const unlike = outputs.some(({ format }) => format === 'text') ? undefined : unlikeness(pairing)
  if (unlike !== undefined) terminal.err(`${unlike}\n`)
  if (gate.waivers.length > 0) {
    const stale = { ...waivers, diagnostics: gate.waivers }
    terminal.err(textReport(stale, terminal.columns, terminal.errColours))
  }
  if (!gate.ok) terminal.err(`The gate fails: ${gate.reasons.join(', ')}.\n`)
}

function isJsonPrinted(outputs: readonly Output[]): boolean {
  return outputs.some(({ format, out }) => format === 'json' && out === undefined)
}
