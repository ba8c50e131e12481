import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { Comparison, Level, Protocol } from '../diff/change.js'
import { type Read, readVersions } from './diff-reading.js'
import { versionSource } from './diff-source.js'
import { allowRemote } from './examine.js'
import { exitCode } from './exit-code.js'
import { jsonReport, textReport } from './report.js'
import type { Stages } from './stages.js'
import { jsonText, type Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

interface DiffOptions {
  readonly protocol: Protocol | 'all'
  readonly failOn: 'breaking' | 'dangerous' | 'any' | 'none'
  readonly format: 'text' | 'json'
  readonly out?: string
  readonly allowRemote?: true
}

/** `duet diff`: what changed between two versions, protocol by protocol. */
export function addDiff(
  program: Command,
  terminal: Terminal,
  stages: Stages,
  exit: (code: number) => void,
): void {
  program
    .command('diff')
    .summary('what changed between two versions, protocol by protocol')
    .description('Compares two versions of a document and says what callers of each protocol will notice.')
    .argument('<old>', 'a file, a version under spec/, or git:REV:PATH')
    .argument('<new>', 'likewise')
    .addOption(
      new Option('--protocol <protocol>', 'whose callers count')
        .choices(['rest', 'jsonrpc', 'all'])
        .default('all'),
    )
    .addOption(
      new Option('--fail-on <level>', 'the mildest change to fail on')
        .choices(['breaking', 'dangerous', 'any', 'none'])
        .default('breaking'),
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .option('--out <file>', 'write the report to a file')
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
  duet diff 1.0.0 1.1.0 --format json --out diff.json

Exit codes: 0 nothing to fail on, 1 changes of the level of --fail-on, 2 wrong usage, 3 errors in a document.
`

async function review(
  old: string,
  fresh: string,
  options: DiffOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const one = versionSource(old, terminal.cwd)
  const sources = [one]
  try {
    const other = versionSource(fresh, terminal.cwd)
    sources.push(other)
    const read = await readVersions([one, other], stages, options.allowRemote)
    const [before, after] = read.map(({ side }) => side)
    if (before === undefined || after === undefined) return invalid(read, options, terminal)
    const { compare } = await import('../diff/compare.js')
    const { forProtocol } = await import('../diff/protocol.js')
    const compared = forProtocol(compare(before, after), options.protocol)
    const comparison: Comparison = {
      ...compared,
      old: { file: one.name, version: before.version },
      new: { file: other.name, version: after.version },
    }
    await print(comparison, options, terminal)
    return fails(comparison, options.failOn) ? exitCode.failed : exitCode.fine
  } finally {
    for (const source of sources) source.dispose()
  }
}

function invalid(read: readonly Read[], { format }: DiffOptions, terminal: Terminal): number {
  const wrong = read.filter(({ side }) => side === undefined)
  if (format === 'json') terminal.out(jsonText(jsonReport(wrong)))
  else for (const one of wrong) terminal.err(textReport(one, terminal.columns, terminal.errColours))
  return exitCode.invalidInput
}

async function print(
  comparison: Comparison,
  { format, out }: DiffOptions,
  terminal: Terminal,
): Promise<void> {
  const { comparisonJson } = await import('../diff/report/json.js')
  const { comparisonText } = await import('../diff/report/text.js')
  const colours = out === undefined ? terminal.outColours : undefined
  const text = format === 'json' ? jsonText(comparisonJson(comparison)) : comparisonText(comparison, colours)
  if (out === undefined) return terminal.out(text)
  try {
    writeFileSync(resolve(terminal.cwd, out), text)
  } catch (error) {
    throw new UsageError(
      `${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function fails({ changes }: Comparison, failOn: DiffOptions['failOn']): boolean {
  const counted: { readonly [limit in DiffOptions['failOn']]: readonly Level[] } = {
    breaking: ['breaking'],
    dangerous: ['breaking', 'dangerous'],
    any: ['breaking', 'dangerous', 'compatible', 'info'],
    none: [],
  }
  return changes.some(({ level }) => counted[failOn].includes(level))
}
