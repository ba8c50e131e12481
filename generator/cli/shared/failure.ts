import { CommanderError } from 'commander'
import { LockError } from '../../cache/lock.js'
import { displayPath, fileReason } from '../../document/file.js'
import { exitCode } from '../../project/exit-code.js'
import { ExtensionError } from '../../project/extension-error.js'
import { printable, type Terminal } from '../../project/terminal.js'
import { UsageError } from '../../project/usage-error.js'
import { InvalidInput } from './invalid-input.js'

/** Explains why a command has failed. Returns the exit code. */
export function explainFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.fine : exitCode.usage
  if (error instanceof UsageError) {
    terminal.err(`${error.message}\n`)
    return exitCode.usage
  }
  if (error instanceof InvalidInput) {
    terminal.err(`${error.message}\n${error.isWriter ? 'Nothing has been written.\n' : ''}`)
    return exitCode.invalidInput
  }
  if (error instanceof ExtensionError) {
    terminal.err(`${error.message}\nNothing has been written.\n`)
    if (terminal.debug) terminal.err(`${error.cause instanceof Error ? error.cause.stack : error.stack}\n`)
    return exitCode.failed
  }
  if (error instanceof LockError) {
    terminal.err(`${error.message}\nNothing has been written.\n`)
    return exitCode.failed
  }
  if (isFileError(error)) {
    const path = printable(displayPath(error.path ?? '', terminal.cwd))
    terminal.err(`Nothing has been written: ${path} cannot be used: ${printable(fileReason(error))}\n`)
    if (terminal.debug) terminal.err(`${error.stack}\n`)
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
