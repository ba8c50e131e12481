import type { Json } from '../../document/document.js'

/** Nothing can be said of a converter. The message says why. */
export class Untriable extends Error {}

/** What came of one value. */
export type Outcome =
  | { readonly fault: string }
  | { readonly problem: string }
  | { readonly made: Json; readonly isLate: boolean }

/** What was thrown. The team's runtime may be another copy than that of this process. */
export function failure(error: unknown): Outcome {
  if (!(error instanceof Error)) return { fault: `throws ${String(error)}` }
  const code: unknown = 'code' in error ? error.code : undefined
  return error.name === 'ProblemError' && typeof code === 'string'
    ? { problem: code }
    : { fault: `throws ${error.message}` }
}

/** @throws Untriable if it takes longer */
export async function inTime(run: () => unknown, seconds = 1): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    const time = seconds === 1 ? 'a second' : `${seconds} seconds`
    timer = setTimeout(() => reject(new Untriable(`it did not end within ${time}`)), seconds * 1000)
  })
  try {
    return await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}
