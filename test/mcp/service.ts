import { readFileSync } from 'node:fs'
import { contractOf } from '../../generator/mock/contract.js'
import { type Api, createApiOf, ProblemError } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'

interface Client {
  readonly id: number
  readonly name: string
}

/**
 * The api of tools.yaml: two clients, and one tool for each kind of content.
 *
 * @param more text at the end of the document
 */
export async function toolsApi(more = ''): Promise<Api<never, unknown>> {
  const document = readFileSync(new URL('tools.yaml', import.meta.url), 'utf8')
  const { files, diagnostics } = await generate(document + more)
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
  const bytes = (type: string) => ({ get: () => new Blob([new Uint8Array([1, 2, 3])], { type }) })
  const clients: Client[] = [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bob' },
  ]
  const found = (id: number) => {
    const client = clients.find((each) => each.id === id)
    if (client === undefined) throw new ProblemError('not_found', { detail: `No client ${id}.` })
    return client
  }
  return createApiOf(await contractOf(files), {
    logger: false,
    authenticate({ key }) {
      if (key === 'good') return { name: 'ann' }
      throw new ProblemError('invalid_api_key')
    },
    handlers: {
      texts: { get: () => 'A simple text' },
      streaming: { get: () => 'No question' },
      logging: { get: () => 'No line' },
      progress: {
        async *watch() {
          for (const step of [1, 2, 3]) yield { step }
        },
      },
      images: bytes('image/png'),
      sounds: bytes('audio/wav'),
      files: bytes('application/pdf'),
      faults: {
        get() {
          throw new Error('secret')
        },
      },
      clients: {
        list: ({ limit, order }: { limit: number; order: string }) =>
          clients
            .toSorted((a, b) => (order === 'name' ? a.name.localeCompare(b.name) : a.id - b.id))
            .slice(0, limit),
        create: ({ name }: Client) => ({ id: 3, name }),
        get: ({ id }: Client) => found(id),
        delete({ id }: Client) {
          found(id)
        },
      },
    },
  })
}
