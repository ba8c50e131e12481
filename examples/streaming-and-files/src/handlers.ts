import { EventEmitter, on } from 'node:events'
import type { File, Handlers } from '#api'

const stored: (File & { readonly content: Blob })[] = []
const uploads = new EventEmitter()

export const handlers: Handlers<unknown> = {
  files: {
    upload({ title, file }) {
      const added = { id: stored.length + 1, title, bytes: file.size }
      stored.push({ ...added, content: file })
      uploads.emit('added', added)
      return added
    },

    download({ id }, context) {
      const found = stored[id - 1]
      if (found === undefined) throw context.problem('not_found', `There is no file ${id}.`)
      return found.content
    },

    // The signal aborts when the caller hangs up. Then the loop ends, and the listener goes.
    async *watch(_params, { signal }) {
      for (const { id, title, bytes } of stored) yield { id, title, bytes }
      try {
        for await (const [added] of on(uploads, 'added', { signal })) yield added
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  },
}
