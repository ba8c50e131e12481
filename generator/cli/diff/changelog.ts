import { existsSync } from 'node:fs'
import { type Side, titleOf } from '../../diff/change/side.js'
import type { LossesOf } from '../../diff/changelog/history.js'
import type { ChangelogFormat } from '../../diff/changelog/render.js'
import type { Reference } from '../../diff/report/references.js'
import { exitCode } from '../../project/exit-code.js'
import { progressOn } from '../../project/progress.js'
import { projectSpecs } from '../../project/project-specs.js'
import type { Terminal } from '../../project/terminal.js'
import { adaptersOf } from '../shared/adapter-folder.js'
import type { AddCommand } from '../shared/add-command.js'
import { allowRemote } from '../shared/examine.js'
import { reportErrors } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'
import { type Read, readVersion } from './diff-reading.js'
import { type OutputOptions, outputOptions, outputsOf, write } from './diff-report.js'
import { firstDays } from './git-source.js'
import { referenceOption, referencesIn } from './reference.js'

interface ChangelogOptions extends OutputOptions<ChangelogFormat> {
  readonly reference?: string
  readonly allowRemote?: true
}

/** `duet changelog`: the history of all versions, for callers of the API. */
export const addChangelog: AddCommand = (program, terminal, stages, exit) => {
  const [format, out] = outputOptions<ChangelogFormat>(['text', 'markdown', 'json', 'html'])
  program
    .command('changelog')
    .summary('list the changes of all versions under spec/')
    .description(
      'Compares each version with its predecessor, in semver order, and lists what callers notice, and what adapters of the project lose.',
    )
    .addOption(format)
    .addOption(out)
    .option(...referenceOption)
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (options: ChangelogOptions) => {
      exit(await changelog(options, terminal, stages))
    })
}

const examples = `
Examples:
  duet changelog                                        newest version first
  duet changelog --format markdown --out API-CHANGES.md
  duet changelog --format html --out changelog.html --format json --out changelog.json
                                                        several at once

Exit codes: 0 fine, 2 wrong usage, 3 errors in a document.
`

async function changelog(
  { reference, allowRemote: remote, ...options }: ChangelogOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const outputs = outputsOf(options)
  const files = projectSpecs(terminal.cwd)
  const progress = progressOn(terminal)
  const read: Read[] = []
  for (const file of files) {
    progress(`reading ${file}`)
    read.push(await readVersion(file, terminal.cwd, stages, remote))
  }
  progress(`comparing ${files.length} versions`)
  const wrong = read.filter(({ side }) => side === undefined)
  if (wrong.length > 0) {
    progress()
    const isJson = outputs.some(({ format, out }) => format === 'json' && out === undefined)
    return reportErrors(wrong, isJson, terminal)
  }
  const { historyOf } = await import('../../diff/changelog/history.js')
  const { renderChangelog } = await import('../../diff/changelog/render.js')
  const sides = read.flatMap(({ side }) => side ?? [])
  const releases = historyOf(sides, await lossesIn(terminal))
  const newest = sides.find(({ version }) => version === releases[0]?.version)
  const title = (newest && titleOf(newest)) || 'the API'
  const days = daysOf(read, terminal.cwd)
  progress()
  for (const { format, out } of outputs) {
    const references =
      format === 'html' ? await referencesOf(sides, reference, out, terminal) : new Map<string, Reference>()
    write(renderChangelog(title, releases, format, { days, references }), out, terminal)
  }
  return exitCode.fine
}

/** The days on which git has the documents of versions first. */
function daysOf(read: readonly Read[], cwd: string): ReadonlyMap<string, string> {
  const days = firstDays(cwd)
  return new Map(
    read.flatMap(({ file, side }) => {
      const day = days(file)
      return side === undefined || day === undefined ? [] : [[side.version, day] as const]
    }),
  )
}

async function referencesOf(
  sides: readonly Side[],
  url: string | undefined,
  out: string | undefined,
  { cwd }: Pick<Terminal, 'cwd'>,
): Promise<ReadonlyMap<string, Reference>> {
  const of = referencesIn(cwd, url, out)
  const found = new Map<string, Reference>()
  for (const side of sides) {
    const reference = await of(side)
    if (reference !== undefined) found.set(side.version, reference)
  }
  return found
}

/** Reads losses from the folder of adapters. Loads the reader of code only for a project that has one. */
async function lossesIn({ cwd }: Pick<Terminal, 'cwd'>): Promise<LossesOf | undefined> {
  const folder = adaptersOf(cwd)
  if (!existsSync(folder)) return undefined
  const [{ lossesIn: read }, { stepName }, { readHandlerFiles }] = await Promise.all([
    import('../../adapt/team-file.js'),
    import('../../adapt/derived-file.js'),
    import('../../stubs/handler-files.js'),
  ])
  const { files } = readHandlerFiles(folder)
  return (older, next) => {
    const step = stepName({ older, next })
    return files.has(`${step}.ts`) ? read(files, step) : new Map()
  }
}
