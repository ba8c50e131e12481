import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A document of a server that is not ours. */
const notesDocument = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
security: [{ apiKey: [] }]
paths:
  /notes:
    get:
      operationId: notes.list
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: order, in: query, schema: { type: string, enum: [asc, desc] } }
        - { name: since, in: query, schema: { type: string, format: date } }
      responses:
        '200':
          description: The notes.
          headers: { X-Total: { required: true, schema: { type: integer } } }
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Note' } }
        '400': { description: Invalid. }
        '401': { description: Who are you? }
    post:
      operationId: notes.create
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties: { text: { type: string, minLength: 1, maxLength: 20 } }
      responses:
        '201':
          description: Created.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
        '400': { description: Invalid. }
        '401': { description: Who are you? }
  /notes/{id}:
    get:
      operationId: notes.get
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: The note.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
        '400': { description: Invalid. }
        '401': { description: Who are you? }
        '404': { description: There is none. }
components:
  securitySchemes: { apiKey: { type: apiKey, in: header, name: X-Api-Key } }
  schemas:
    Note:
      type: object
      required: [id, text]
      properties: { id: { type: integer }, text: { type: string } }
`

/** What the correct server would answer. */
export interface Written {
  status: number
  headers: Record<string, string>
  body: string
  /** Milliseconds to wait. Infinity: it never comes. `cut`: the connection ends instead. */
  after?: number | 'cut'
}

export interface NotesServer {
  readonly url: string
  /** `GET /notes?limit=1` of each request. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

export const secret = 'k3y-that-nobody-may-see'

/**
 * A server of the document in a few lines of `node:http`.
 *
 * @param spoil changes its answer
 */
export async function notesServer(
  spoil: (written: Written, request: IncomingMessage, url: URL) => void = () => {},
): Promise<NotesServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      requests.push(`${request.method} ${request.url}`)
      const url = new URL(request.url ?? '/', 'http://notes')
      const written = answer(request, url, Buffer.concat(chunks).toString())
      spoil(written, request, url)
      send(response, written)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function send(response: ServerResponse, { status, headers, body, after }: Written): void {
  const write = () => response.writeHead(status, headers).end(body)
  if (after === 'cut') response.destroy()
  else if (after === undefined) write()
  else if (after < Number.POSITIVE_INFINITY) setTimeout(write, after)
}

const notes = [
  { id: 7, text: 'Milk' },
  { id: 8, text: 'Bread' },
]

function answer(request: IncomingMessage, url: URL, body: string): Written {
  const json = (status: number, value: unknown, headers: Record<string, string> = {}): Written => ({
    ...{ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) },
  })
  if (url.pathname === '/openapi.yaml')
    return { status: 200, headers: { 'content-type': 'application/yaml' }, body: notesDocument }
  if (request.headers['x-api-key'] !== secret) return json(401, {})
  const [, path, id] = url.pathname.split('/')
  if (path !== 'notes') return json(404, {})
  const allowed = id === undefined ? ['GET', 'POST'] : ['GET']
  if (!allowed.includes(request.method ?? '')) return json(405, {}, { allow: allowed.join() })
  if (request.method === 'POST') {
    if (request.headers['content-type'] !== 'application/json') return json(415, {})
    if (body === '{') return json(400, {})
    const { text } = JSON.parse(body)
    const isValid = typeof text === 'string' && text.length > 0 && text.length <= 20
    return isValid ? json(201, { id: 9, text }) : json(400, {})
  }
  if (id !== undefined) {
    const note = notes.find((one) => String(one.id) === id)
    return /^-?\d+$/.test(id) ? json(note ? 200 : 404, note ?? {}) : json(400, {})
  }
  const { searchParams } = url
  const [limit, order] = [searchParams.get('limit') ?? '50', searchParams.get('order') ?? 'asc']
  const isValid =
    /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 50 && /^(asc|desc)$/.test(order)
  return isValid ? json(200, notes.slice(0, Number(limit)), { 'x-total': '2' }) : json(400, {})
}
