import { expect } from 'vitest'
import type { Answered } from './target.js'

export const limited = expect.objectContaining({
  status: 429,
  code: 'rate_limited',
  retryAfter: expect.any(Number),
})

/** Sends calls one after another until a limit refuses one. Returns how many passed before it, and the refusal. */
export async function untilLimited(ask: (index: number) => Promise<Answered>, most: number) {
  for (let index = 0; index < most; index++) {
    const answer = await ask(index)
    if (answer.status === 429) return { before: index, answer }
  }
  throw new Error(`No limit within ${most} calls`)
}
