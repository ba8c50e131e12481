import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { ExtensionError } from '../extend/extension-error.js'
import { extendedStages } from '../extend/stages.js'
import { exitCode } from './exit-code.js'
import { addGenerate } from './generate.js'
import { addInit } from './init.js'
import { InvalidInput } from './invalid-input.js'
import { addLint } from './lint.js'
import { addMock } from './mock.js'
import { addScaffold } from './scaffold.js'
import type { Stages } from './stages.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

/** Runs `duet` with arguments as a shell gives them. Returns the exit code; throws nothing. */
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
    .showHelpAfterError('Run duet --help to see commands and options.')
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
  addGenerate(program, terminal, extendedStages(stages, terminal.cwd), exit)
  for (const add of [addLint, addMock, addScaffold, addInit]) add(program, terminal, stages, exit)
  for (const command of program.commands) command.copyInheritedSettings(program)
  try {
    if (args.length === 0) throw new UsageError(`${program.helpInformation().trimEnd()}`)
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return explain(error, terminal)
  }
}

const examples = `
Examples:
  duet lint
  duet generate
  duet generate --check
  duet generate --help

Exit codes: 0 fine, 1 a check failed, 2 wrong usage, 3 errors in a document.
`

function explain(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.fine : exitCode.usage
  if (error instanceof UsageError) {
    terminal.err(`${error.message}\n`)
    return exitCode.usage
  }
  if (error instanceof InvalidInput) {
    terminal.err(`${error.message}\nNothing has been written.\n`)
    return exitCode.invalidInput
  }
  if (error instanceof ExtensionError) {
    terminal.err(`${error.message}\nNothing has been written.\n`)
    if (terminal.debug) terminal.err(`${error.cause instanceof Error ? error.cause.stack : error.stack}\n`)
    return exitCode.failed
  }
  if (isFileError(error)) {
    terminal.err(`Nothing has been written: ${error.message}\n`)
    return exitCode.failed
  }
  const message = error instanceof Error ? error.message : String(error)
  terminal.err(`This is a bug in duet: ${message.split('\n', 1)[0]} (DEBUG=duet shows where)\n`)
  if (terminal.debug && error instanceof Error) terminal.err(`${error.stack}\n`)
  return exitCode.failed
}

/** An error of the file system: no space, no permission. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(packageFile(), 'utf8'))
  return manifest.version
}

/** package.json is one folder further up from the build than from the sources. */
function packageFile(): URL {
  const fromBuild = import.meta.url.includes('/dist/cli/')
  return new URL(fromBuild ? '../../package.json' : '../package.json', import.meta.url)
}
