export const pixel = new Uint8Array([137, 80, 78, 71, 0, 255])

/** `ended` is called when a stream of events ends for any reason. */
export const streams: { ended?: (() => void) | undefined } = {}

async function describeFile(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return { bytes: [...new Uint8Array(await value.arrayBuffer())] }
  if (Array.isArray(value)) return Promise.all(value.map(describeFile))
  return value
}

async function described(params: object): Promise<object> {
  const entries = Object.entries(params).map(async ([name, value]) => [name, await describeFile(value)])
  return Object.fromEntries(await Promise.all(entries))
}

interface Given {
  reply: { status(status: number): Given['reply']; header(name: string, value: string): Given['reply'] }
}

/** The results of the document's operations. */
export const handlers = {
  charges: { create: (params: object) => params },
  files: {
    upload: described,
    replace: async ({ body }: { body: Blob }) => (body.size === 0 ? null : body.size),
    get: ({ name }: { name: string }, { reply }: Given) => {
      reply.header('ETag', `"${name}"`)
      return name === 'bytes' ? pixel : new Blob([pixel], { type: 'image/png' })
    },
  },
  notes: { replace: ({ body }: { body: string }) => body.toUpperCase() },
  events: {
    stream: async function* ({ count }: { count: number }) {
      try {
        for (let n = 1; n <= count; n++) yield { n }
      } finally {
        streams.ended?.()
      }
    },
  },
  lines: {
    stream: async function* () {
      yield { a: 1 }
      yield { a: 2 }
    },
  },
  changes: {
    watch: async function* () {
      yield 1
    },
  },
  jobs: {
    start: ({ wait }: { wait: boolean }, { reply }: Given) => {
      if (wait) return { done: true }
      reply.status(202).header('Location', '/jobs/1')
      return { job: '1' }
    },
  },
  search: { run: (params: object) => params, beta: (params: object) => ({ beta: params }) },
  matrix: { get: (params: object) => params },
  avatars: { create: described },
  secrets: { list: () => [] },
  cached: {
    get: ({ state, fresh }: { state?: string; fresh?: boolean }, { reply }: Given) => {
      if (state === 'moved') reply.status(302).header('Location', '/elsewhere')
      return state === 'moved' || state === 'same' ? null : { fresh: fresh ?? 'absent' }
    },
  },
  touched: { get: () => null },
  labels: { set: (params: object) => params },
  users: { replace: (params: object) => params },
  lookups: { list: (params: object) => params },
}
