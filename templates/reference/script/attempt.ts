/** What came of something that may not work, or why it has not. */
export type Attempt<Value> = { readonly value: Value } | { readonly reason: string }

export async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
