import { Option } from 'commander'
import type { Ending, EndingUsage } from 'duet-runtime/usage'
import { inert } from '../diff/change/inert.js'
import { protocolNames } from '../diff/change/protocol.js'
import { findConfig } from '../project/config.js'
import { exitCode } from '../project/exit-code.js'
import { projectSpecs } from '../project/project-specs.js'
import { jsonText } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import { ledgerOf } from './diff/usage.js'
import type { AddCommand } from './shared/add-command.js'
import { allowRemote, type Examined, examine } from './shared/examine.js'
import { hasErrors, reportErrors } from './shared/report.js'
import { wholeNumber } from './shared/whole-number.js'

interface SunsetOptions {
  readonly usage?: readonly string[]
  readonly usageDays?: number
  readonly format: 'text' | 'json'
  readonly allowRemote?: true
}

/** `duet sunset`: what is deprecated, who still calls it, and whether it can end on its sunset date. */
export const addSunset: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('sunset')
    .summary('who still calls what is deprecated')
    .description(
      'Lists deprecated operations and versions of the project, who still calls them, and whether they can end on their sunset date.',
    )
    .option(
      '--usage <ledger>',
      'JSON lines of calls (docs/how-to/usage.md); repeatable',
      (file, before: string[] = []) => [...before, file],
    )
    .addOption(
      new Option(
        '--usage-days <days>',
        'days without a call after which something can end on its sunset date (default: 30)',
      ).argParser(wholeNumber(1, 5, 'Write a whole number of days from 1.')),
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (options: SunsetOptions) => {
      const { cwd } = terminal
      const files = projectSpecs(cwd)
      const documents = await Promise.all(files.map((file) => examine(file, cwd, stages, options)))
      const wrong = documents.filter(hasErrors)
      if (wrong.length > 0) return exit(reportErrors(wrong, options.format === 'json', terminal))
      const today = new Date().toISOString().slice(0, 10)
      const days = options.usageDays ?? 30
      const { endingUsage, spanOf, windowStart } = await import('duet-runtime/usage')
      const titles = new Set(documents.flatMap(({ model }) => model?.title ?? []))
      const entries = await ledgerOf(options.usage ?? [], [...titles], terminal, today)
      const since = windowStart({ today, days })
      const sums = entries.filter(({ day }) => day >= since && day <= today)
      const span = spanOf(
        entries.map(({ day }) => day),
        today,
      )
      const endings = await endingsOf(documents, sunsetsOf(cwd, documents))
      const found = endings.map((ending) => endingUsage(ending, { today, days, sums, ...span }))
      if (options.format === 'json') terminal.out(jsonText({ today, days, endings: found }))
      else terminal.out(textOf(found))
      exit(found.some((ending) => isLate(ending, today, days)) ? exitCode.failed : exitCode.fine)
    })
}

const examples = `
Examples:
  duet sunset                                what is deprecated, and until when
  duet sunset --usage ledger.jsonl           who still calls it, by protocol
  duet sunset --usage ledger.jsonl --usage-days 90
                                             callers of the last 90 days
  duet sunset --usage ledger.jsonl --format json
                                             for programs

Versions end by "sunsets" of the config file: { "1.0.0": "2027-06-30" }.

Exit codes: 0 nothing is late; 1 somebody still calls what has ended or ends within the --usage-days; 2 wrong usage;
3 errors in a document.
`

/** The days on which versions end, of the config file. Throws UsageError for a version that no document has. */
function sunsetsOf(cwd: string, documents: readonly Examined[]): Readonly<Record<string, string>> {
  const config = findConfig(cwd)
  const versions = documents.flatMap(({ model }) => model?.version ?? [])
  const unknown = Object.keys(config?.sunsets ?? {}).find((version) => !versions.includes(version))
  if (unknown === undefined) return config?.sunsets ?? {}
  throw new UsageError(
    `sunsets in ${config?.file}: no document has the version ${unknown}. The versions are ${versions.join(', ')}.`,
  )
}

/** Versions first, then operations, in the order of the documents. */
async function endingsOf(
  documents: readonly Examined[],
  sunsets: Readonly<Record<string, string>>,
): Promise<readonly Ending[]> {
  const { deprecatedOperations } = await import('duet-runtime/usage')
  return [
    ...Object.entries(sunsets).map(([version, sunset]) => ({ version, sunset })),
    ...documents.flatMap(({ model }) =>
      model === undefined ? [] : deprecatedOperations(model.version, model.operations),
    ),
  ]
}

function textOf(endings: readonly EndingUsage[]): string {
  if (endings.length === 0) return 'Nothing is deprecated.\n'
  const lines = endings.flatMap(({ version, operation, sunset, text, callers }) => [
    `${version} ${operation ?? 'as a whole'}${sunset === undefined ? '' : `, sunset ${sunset}`}: ${text}`,
    ...callers
      .slice(0, mostCallers)
      .map(
        ({ protocol, consumer, calls, last }) =>
          `  ${consumer} over ${protocolNames[protocol]}: ${calls.toLocaleString('en-US')} ${calls === 1 ? 'call' : 'calls'}, last on ${last}`,
      ),
    ...(callers.length > mostCallers ? [`  and ${callers.length - mostCallers} more`] : []),
  ])
  return `${lines.map(inert).join('\n')}\n`
}

const mostCallers = 20

/** Whether somebody still calls what has ended, or ends soon. */
function isLate({ verdict, sunset }: EndingUsage, today: string, days: number): boolean {
  if (verdict !== 'called' || sunset === undefined) return false
  return Date.parse(sunset) - Date.parse(today) <= days * 86_400_000
}
