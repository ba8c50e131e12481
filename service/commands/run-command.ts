import { Failure, reasonOf } from '../failure.js'

/** Runs a command. On a failure it prints one line per fault to standard error and sets the exit code. */
export async function runCommand(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure(`${what}: ${reasonOf(error)}`, 1)
    for (const line of failure.lines) process.stderr.write(`${line}\n`)
    process.exitCode = failure.exitCode
  }
}

/** The only argument of a command. @throws Failure for any other number of arguments */
export function onlyArgument(args: readonly string[], usage: string): string {
  const [argument] = args
  if (argument === undefined || args.length > 1 || argument.startsWith('-')) throw new Failure(usage, 2)
  return argument
}
