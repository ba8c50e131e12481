import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Contract, createApiOf, type Fallback, type ProblemError } from 'duet-runtime'
import type { Model } from '../model/model.js'
import { handlersOf } from '../samples/handlers.js'
import { MockResponses } from './answers.js'
import { allowOrigin, isLoopback } from './cross-origin.js'
import { errorBodiesOf } from './error-bodies.js'
import { referenceOf } from './reference.js'
import { requestedBehaviour } from './requested-behaviour.js'
import { answerUnknownPath } from './unknown-path.js'

export interface MockOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The same seed gives the same responses. */
  readonly seed: string
}

export interface Mock {
  /** The address before each path, including the document's base path: `http://127.0.0.1:4010`. */
  readonly url: string
  /** The address of the reference. Undefined if operations have its path. */
  readonly reference: string | undefined
  /** Ends open connections and closes the port. */
  readonly close: () => Promise<void>
}

/**
 * Serves both protocols of a document without handlers, through the runtime: validates params and requires
 * credentials, but accepts any. The reference is at `/reference/`.
 *
 * @throws NodeJS.ErrnoException if the port cannot be opened
 */
export async function startMock(model: Model, contract: Contract, options: MockOptions): Promise<Mock> {
  const { host, port, seed } = options
  const reference = referenceOf(model, contract)
  const answer = listenerOf(model, contract, seed, reference)
  const isOpen = isLoopback(host)
  const server = createServer((request, response) => {
    if (isOpen && allowOrigin(request, response)) return
    answer(request, response)
  })
  await listen(server, port, host)
  const address = addressOf(server)
  return {
    url: address + (contract.basePath ?? ''),
    reference: reference && `${address}/reference/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Both protocols as a request listener that applies the `X-Mock-` headers. */
function listenerOf(
  model: Model,
  contract: Contract,
  seed: string,
  reference: Fallback | undefined,
): (request: IncomingMessage, response: ServerResponse) => void {
  const requestedErrors = new AsyncLocalStorage<ProblemError | undefined>()
  const refuseIf = (matches: (error: ProblemError) => boolean): void => {
    const error = requestedErrors.getStore()
    if (error !== undefined && matches(error)) throw error
  }
  const isCredential = ({ code }: ProblemError): boolean =>
    Object.hasOwn(contract.errors, code) && contract.errors[code]?.status === 401
  const answers = new MockResponses(model, contract, seed)
  const api = createApiOf<Record<string, never>, unknown, object, string>(contract, {
    handlers: handlersOf(model.operations, (operation, params) => {
      refuseIf(() => true)
      return answers.answer(operation, params)
    }),
    authenticate: () => {
      refuseIf(isCredential)
      return {}
    },
    errors: errorBodiesOf(model, contract, seed),
  })
  const listener = api.node({
    fallback: reference ?? ((request, response) => answerUnknownPath(contract, request, response)),
  })
  return (request, response) => {
    const { delay, error } = requestedBehaviour(request, contract)
    const serve = (): void => requestedErrors.run(error, () => listener(request, response))
    if (delay === 0) serve()
    else {
      const waiting = setTimeout(serve, delay)
      response.once('close', () => clearTimeout(waiting))
    }
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
