import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A response on its way back, which a fault may change. */
export interface Passing {
  status: number
  body: string
  /** The media type, if a fault changes it. */
  type?: string
}

export interface PassingService {
  readonly url: string
  close(): Promise<void>
}

/**
 * A copy of a service with a fault: passes requests on to it.
 *
 * @param asked changes the path and query of a request, or its body
 * @param answered changes the response
 */
export async function spoilingProxy(
  service: string,
  {
    asked = (url) => url,
    answered = () => {},
  }: {
    asked?: (url: URL, body: string) => URL
    answered?: (passing: Passing, method: string, url: URL) => void
  },
): Promise<PassingService> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const url = new URL(request.url ?? '/', service)
      const method = request.method ?? 'GET'
      const {
        host: _,
        connection: __,
        'content-length': ___,
        'transfer-encoding': ____,
        ...headers
      } = request.headers
      const found = await fetch(asked(new URL(url), body), {
        method,
        headers: headers as Record<string, string>,
        ...(body !== '' && { body }),
      })
      const passing: Passing = { status: found.status, body: await found.text() }
      answered(passing, method, url)
      const kept = Object.fromEntries(
        [...found.headers].filter(
          ([name]) => !/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name),
        ),
      )
      const type = passing.type === undefined ? {} : { 'content-type': passing.type }
      response.writeHead(passing.status, { ...kept, ...type }).end(passing.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
