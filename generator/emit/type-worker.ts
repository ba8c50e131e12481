import * as module from 'node:module'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { PrintRequest } from './type-thread.js'

// As bin/duet.js does for the main thread.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => void }
enableCompileCache?.()

const { printAll } = await import('./type-printer.js')

parentPort?.on('message', ({ request, there }: { request: PrintRequest; there: MessagePort }) => {
  try {
    there.postMessage(printAll(request))
  } finally {
    there.close()
  }
})
