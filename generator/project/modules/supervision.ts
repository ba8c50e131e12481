/** Watches code of a team while this process runs it. */
export interface Supervisor {
  /** A step begins, which may take so many seconds. Undefined: it has ended. */
  step(name: string | undefined, seconds: number): void
  /** A temporary file was written, which the run removes if it can. */
  wrote(file: string): void
}

let supervisor: Supervisor | undefined

export function superviseBy(by: Supervisor): void {
  supervisor = by
}

/**
 * Runs code of a team. A supervisor in another thread can stop it, even in a loop without an end.
 *
 * @param name what runs, for people
 */
export async function inStep<Result>(
  name: string,
  seconds: number,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  supervisor?.step(name, seconds)
  try {
    return await run()
  } finally {
    supervisor?.step(undefined, 0)
  }
}

/** The same without waiting. */
export function inStepNow<Result>(name: string, seconds: number, run: () => Result): Result {
  supervisor?.step(name, seconds)
  try {
    return run()
  } finally {
    supervisor?.step(undefined, 0)
  }
}

export function noteTemporary(file: string): void {
  supervisor?.wrote(file)
}
