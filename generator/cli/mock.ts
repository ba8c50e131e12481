import { InvalidArgumentError } from 'commander'
import type { Mock } from '../mock/server.js'
import { exitCode } from '../project/exit-code.js'
import { commandSpecs } from '../project/project-specs.js'
import { printable, type Terminal } from '../project/terminal.js'
import type { AddCommand } from './shared/add-command.js'
import { allowRemote, examine } from './shared/examine.js'
import { hasErrors, textReport } from './shared/report.js'
import type { Stages } from './shared/stages.js'

interface MockOptions {
  readonly port: number
  readonly host: string
  readonly seed: string
  readonly allowRemote?: true
}

/** `duet mock`: serves both protocols of a document without handlers, until the process receives a signal to end. */
export const addMock: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('mock')
    .summary('serve both protocols of a document without handlers')
    .description(
      'Serves both protocols of a document without handlers. Responses are examples of the document, or samples of its schemas.',
    )
    .argument('<spec>', 'a file, or a version under spec/')
    .option('--port <n>', 'port to listen on; 0: any free port', portNumber, 4010)
    .option('--host <h>', 'address to listen on', '127.0.0.1')
    .option('--seed <n>', 'the same seed gives the same responses', '1')
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (spec: string, options: MockOptions) => exit(await mock(spec, options, terminal, stages)))
}

const examples = `
Params are validated as in the service. If the document requires a credential, any value will do.
Request headers, over REST and over JSON-RPC:

  X-Mock-Delay: 250          wait 250 milliseconds before responding
  X-Mock-Error: not_found    fail with a code of the error catalogue; invalid_api_key gives a 401

The reference at /reference/ can send calls. On a loopback address, pages of any origin may call the mock (CORS).

Examples:
  duet mock 1.0.0                          spec/1.0.0/openapi.yaml at http://127.0.0.1:4010
  duet mock api.yaml --port 0 --seed 7
  duet mock api.yaml --allow-remote        with $ref over http and https

Exit codes: 0 ended by SIGTERM or SIGINT, 1 the port cannot be opened, 2 wrong usage, 3 errors in the document.
`

async function mock(
  spec: string,
  { port, host, seed, ...options }: MockOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const [file = spec] = commandSpecs([spec], terminal.cwd)
  const examined = await examine(file, terminal.cwd, stages, options)
  const { model } = examined
  if (model === undefined || hasErrors(examined)) {
    terminal.err(`${textReport(examined, terminal.columns, terminal.errColours)}\n`)
    return exitCode.invalidInput
  }
  const { contractOf, curlExamples, startMock } = await import('../mock/mock.js')
  const contract = await contractOf(await stages.emit(model, examined.files, file))
  const started = await startMock(model, contract, { port, host, seed }).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  if (started instanceof Error) {
    terminal.err(`${printable(refusalOf(started, host, port))}\n`)
    return exitCode.failed
  }
  const count = model.operations.length
  const operations = `${count} operation${count === 1 ? '' : 's'}`
  const title = printable(`${model.title} ${model.version}`)
  terminal.out(`${title}: ${operations} at ${started.url} (seed ${printable(seed)})\n\n`)
  for (const example of await curlExamples(model, started.url)) terminal.out(`${printable(example)}\n\n`)
  if (started.reference !== undefined)
    terminal.out(`The reference, with all operations to try: ${started.reference}\n`)
  terminal.out('X-Mock-Delay: 250 makes a call wait, X-Mock-Error: not_found makes it fail. Ctrl+C ends.\n')
  await ended(started)
  return exitCode.fine
}

function refusalOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use. Choose another with --port.`
  if (code === 'EACCES') return `No permission to open port ${port} of ${host}. Choose another with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine. Choose another with --host, such as 127.0.0.1, or 0.0.0.0 for all of them.`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/** Resolves when the process has received a signal and the mock has closed. */
function ended(mock: Mock): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.removeListener(signal, end)
      mock.close().then(resolve)
    }
    for (const signal of signals) process.once(signal, end)
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const

function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Write a number from 0 to 65535.')
}
