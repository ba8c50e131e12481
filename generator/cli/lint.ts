import { Option } from 'commander'
import { type Code, catalogue } from '../diagnostics/catalogue.js'
import { closest } from '../document/spelling.js'
import { checkNamedVersions, findConfig } from '../project/config.js'
import { exitCode } from '../project/exit-code.js'
import { progressOn } from '../project/progress.js'
import { commandSpecs, projectSpecs } from '../project/project-specs.js'
import { jsonText } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import { withBaselineWarnings } from './diff/baseline.js'
import type { AddCommand } from './shared/add-command.js'
import { allowRemote, type Examined, examine } from './shared/examine.js'
import { hasErrors, jsonReport, textReport, verboseOption } from './shared/report.js'

interface LintOptions {
  readonly format: 'text' | 'json'
  readonly explain?: string
  readonly allowRemote?: true
  readonly verbose?: true
}

/** `duet lint`: reports the faults of documents, and writes nothing. */
export const addLint: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('lint')
    .summary('check documents against OpenAPI and the rules of duet')
    .description(
      'Checks documents against the OpenAPI specification, the x- vocabulary, and the `baseline` of the config file.',
    )
    .argument('[spec...]', 'files, or versions under spec/ (default: specs of the config file, else all)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .option(...allowRemote)
    .option(...verboseOption)
    .option('--explain <code>', 'explain a code and stop')
    .addHelpText('after', examples)
    .action(async (specs: string[], options: LintOptions) => {
      if (options.explain !== undefined) return terminal.out(explain(options.explain))
      const files = specs.length > 0 ? commandSpecs(specs, terminal.cwd) : projectSpecs(terminal.cwd)
      const all = { ...options, isLinting: true } as const
      const progress = progressOn(terminal)
      const alone: Examined[] = []
      for (const file of files) {
        progress(`checking ${file}`)
        alone.push(await examine(file, terminal.cwd, stages, all))
      }
      const config = specs.length > 0 || alone.some(hasErrors) ? undefined : findConfig(terminal.cwd)
      if (config !== undefined)
        checkNamedVersions(
          config,
          alone.flatMap(({ model }) => model?.version ?? []),
        )
      const examined = await withBaselineWarnings(alone, terminal.cwd, stages, options.allowRemote === true)
      progress()
      if (options.format === 'json') terminal.out(jsonText(jsonReport(examined)))
      else
        terminal.out(
          examined
            .map((one) => textReport(one, terminal.columns, terminal.outColours, options.verbose === true))
            .join('\n'),
        )
      exit(examined.some(hasErrors) ? exitCode.invalidInput : exitCode.fine)
    })
}

const examples = `
Examples:
  duet lint                                every version under spec/
  duet lint 1.0.0                          spec/1.0.0/openapi.yaml
  duet lint api.yaml --format json         for programs
  duet lint api.yaml --allow-remote        with $ref over http and https
  duet lint --explain path-ambiguous       what a code means and what to do

Exit codes: 0 no errors (warnings may remain), 2 wrong usage, 3 errors.
`

function explain(code: string): string {
  if (!Object.hasOwn(catalogue, code)) {
    const codes = Object.keys(catalogue).sort()
    const similar = closest(code, codes)
    throw new UsageError(
      `There is no code ${code}. ${similar === undefined ? `The codes are ${codes.join(', ')}.` : `Did you mean ${similar}?`}`,
    )
  }
  const { title, severity, cause, fix } = catalogue[code as Code]
  return `${code} (${severity}): ${title}\n\n${cause}\n\nRemedy: ${fix}\n`
}
