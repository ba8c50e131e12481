import { MessageChannel, Worker } from 'node:worker_threads'
import type { Schema } from '../model/model.js'
import type { PreparedType, PrintedType } from './printed-types.js'

export interface PrintRequest {
  /** Schemas that the types may refer to, by their references. */
  readonly schemas: ReadonlyMap<string, Schema>
  readonly types: readonly PreparedType[]
}

let thread: Worker | undefined
let isLost = false

/**
 * Begins to load what prints types, the TypeScript compiler among it, in a thread: that takes longer than most runs
 * have left by the time they know that they need it. Sources that have not been built print in the thread that asks.
 */
export function startTypeThread(): void {
  if (thread !== undefined || isLost || !import.meta.url.endsWith('.js')) return
  thread = new Worker(new URL('./type-worker.js', import.meta.url))
  thread.unref()
  const lose = (): void => {
    isLost = true
    thread = undefined
  }
  thread.once('error', lose)
  thread.once('exit', lose)
}

/** The types of a request in its order. */
export async function printTypes(request: PrintRequest): Promise<readonly PrintedType[]> {
  startTypeThread()
  const printed = thread && (await printedBy(thread, request))
  if (printed !== undefined) return printed
  // A thread that fails leaves the same work, or the same error, to this one.
  const { printAll } = await import('./type-printer.js')
  return printAll(request)
}

/** Undefined where the thread ends, or closes the channel, without an answer. */
async function printedBy(thread: Worker, request: PrintRequest): Promise<readonly PrintedType[] | undefined> {
  const { port1: here, port2: there } = new MessageChannel()
  let lost = (): void => {}
  try {
    return await new Promise((resolve) => {
      lost = () => resolve(undefined)
      here.once('message', resolve)
      here.once('close', lost)
      thread.once('exit', lost)
      thread.postMessage({ request, there }, [there])
    })
  } finally {
    thread.off('exit', lost)
    here.close()
  }
}
