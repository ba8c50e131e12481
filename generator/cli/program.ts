import { Command } from 'commander'
import { exitCode } from '../project/exit-code.js'
import { version } from '../project/own-package.js'
import { progressOn } from '../project/progress.js'
import type { Terminal } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import type { AddCommand } from './shared/add-command.js'
import { explainFailure } from './shared/failure.js'
import type { Stages } from './shared/stages.js'

/** The commands by name, in the order of the help text. Each is loaded on demand: a run needs one of them. */
const commands: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ['generate', async () => (await import('./generate/generate.js')).addGenerate],
  ['lint', async () => (await import('./lint.js')).addLint],
  ['mock', async () => (await import('./mock.js')).addMock],
  ['scaffold', async () => (await import('./scaffold.js')).addScaffold],
  ['init', async () => (await import('./init.js')).addInit],
  ['contains', async () => (await import('./contains.js')).addContains],
  ['diff', async () => (await import('./diff/diff.js')).addDiff],
  ['sunset', async () => (await import('./sunset.js')).addSunset],
  ['adapt', async () => (await import('./adapt.js')).addAdapt],
  ['mcp', async () => (await import('./mcp.js')).addMcp],
  ['test', async () => (await import('./test/test.js')).addTest],
  ['changelog', async () => (await import('./diff/changelog.js')).addChangelog],
])

/** Runs `duet` with arguments as a shell passes them. Returns the exit code. Throws nothing. */
export async function runProgram(
  args: readonly string[],
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  let code: number = exitCode.fine
  const program = new Command('duet')
    .description('One OpenAPI document: REST and JSON-RPC 2.0, their validators, clients and reference.')
    .version(version(), '--version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('Run duet --help for commands and options.')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .addHelpText('after', examples)
  const exit = (given: number): void => {
    code = given
  }
  const [name = ''] = args
  const command = commands.get(name)
  // For anything but the name of a command, the help lists all of them.
  const wanted = command === undefined ? [...commands.values()] : [command]
  for (const add of await Promise.all(wanted.map((load) => load()))) add(program, terminal, stages, exit)
  for (const command of program.commands) {
    command.copyInheritedSettings(program)
    command.showHelpAfterError(`Run duet ${command.name()} --help for its arguments and options.`)
  }
  try {
    if (args.length === 0) throw new UsageError(`${program.helpInformation().trimEnd()}`)
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    progressOn(terminal)()
    return explainFailure(error, terminal)
  }
}

const examples = `
Examples:
  duet lint
  duet generate
  duet generate --check
  duet generate --watch
  duet scaffold 1.0.0 --out src/handlers
  duet init shop --spec api.yaml
  duet mock api.yaml
  duet contains old.json new.json
  duet diff 1.0.0 1.1.0
  duet sunset
  duet adapt 1.0.0 1.1.0
  duet mcp --sizes
  duet test http://127.0.0.1:8080
  duet changelog
  duet generate --help

Exit codes: 0 fine, 1 a check failed, 2 wrong usage, 3 errors in a document.
`
