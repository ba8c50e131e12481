import { Failure, reasonOf } from '../failure.js'

/** Runs a command to its end; a failure goes to standard error, one line for each fault, and into the exit code. */
export async function runCommand(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure(`${what}: ${reasonOf(error)}`, 1)
    for (const line of failure.lines) process.stderr.write(`${line}\n`)
    process.exitCode = failure.exitCode
  }
}

/** The only argument of a command. @throws Failure where there is another number of them */
export function onlyArgument(args: readonly string[], usage: string): string {
  const [argument] = args
  if (argument === undefined || args.length > 1 || argument.startsWith('-')) throw new Failure(usage, 2)
  return argument
}
