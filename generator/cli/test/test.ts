import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../project/usage-error.js'
import type { AddCommand } from '../shared/add-command.js'
import { allowRemote } from '../shared/examine.js'
import { wholeNumber } from '../shared/whole-number.js'
import type { TestCommandOptions } from './test-run.js'

/** `duet test`: compares a running server with its document. */
export const addTest: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('test')
    .summary('compare a running server with its document')
    .description(
      'Sends valid and invalid calls to a running server, and compares its responses with the document and with each other. By default it sends only calls that change nothing.',
    )
    .argument('<url>', 'the address of the server; with a path, that of the document’s paths')
    .option(
      '--spec <spec>',
      'a file, or a version under spec/ (default: the document that the server publishes)',
    )
    .option('--against <version>', 'also send calls of this earlier version, a file or a version under spec/')
    .addOption(
      new Option(
        '--protocol <protocol>',
        'which protocol to call next to REST (default: all that the server speaks)',
      ).choices(['rest', 'jsonrpc', 'mcp', 'all']),
    )
    .option('--unsafe', 'also send calls that may change something')
    .option('--data <file>', 'values that exist on the server, and operations to call or to leave out')
    .option('--seed <n>', 'the same seed sends the same calls (default: a random one, which is printed)')
    .addOption(
      new Option('--cases <n>', 'calls of an operation that vary a valid one')
        .argParser(wholeNumber(1, 4, 'Write a whole number from 1 to 9999.'))
        .default(40),
    )
    .option('--fail-fast', 'end at the first finding')
    .addOption(
      new Option('--max-findings <n>', 'end after this many findings').argParser(
        wholeNumber(1, 6, 'Write a whole number from 1.'),
      ),
    )
    .addOption(
      new Option('--rate <n>', 'requests in a second')
        .argParser(wholeNumber(1, 5, 'Write a whole number from 1.'))
        .default(50),
    )
    .addOption(new Option('--time <seconds>', 'end after this time').argParser(secondsOf).default(300))
    .addOption(
      new Option('--timeout <seconds>', 'wait this long for a response').argParser(secondsOf).default(10),
    )
    .addOption(
      new Option('--slow <ms>', 'report responses that take longer (default: none)').argParser(
        wholeNumber(1, 6, 'Write a whole number of milliseconds.'),
      ),
    )
    .option('--waivers <file>', 'file of accepted findings')
    .option(
      '--record <file>',
      'write the shapes of the responses to a file: statuses, types and names, no values',
    )
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(['text', 'json', 'junit', 'sarif'])
        .default('text'),
    )
    .option('--out <file>', 'write the report to a file')
    .option('--verbose', 'name every operation that was not exercised')
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (url: string, options: TestCommandOptions) => {
      const { testRun } = await import('./test-run.js')
      exit(await testRun(addressOf(url), options, terminal, stages))
    })
}

const examples = `
Credentials come from the environment: DUET_ and the name of the security scheme. For the scheme apiKey it is DUET_API_KEY,
for basic authentication the variable has the base64 text of user:password. No report contains them.

A data file has values that exist on the server, and names operations to call or to leave out:

  params: { accountId: 7 }
  operations:
    clients.get: { params: { id: 3 } }
    clients.update: { unsafe: true }
    reports.create: { skip: true }

Examples:
  duet test http://127.0.0.1:8080                        with the document that the server publishes
  duet test http://127.0.0.1:8080 --spec 1.0.0           with spec/1.0.0/openapi.yaml
  duet test http://127.0.0.1:8080/v1 --spec api.yaml     the document's paths are below /v1
  DUET_API_KEY=... duet test https://staging.example.com --data staging.yaml
  duet test http://127.0.0.1:8080 --unsafe --seed 7      also calls that create, change and remove
  duet test http://127.0.0.1:8080 --against 1.0.0        does it still accept the calls of 1.0.0?
  duet test http://127.0.0.1:8080 --format junit --out duet.xml

Exit codes: 0 no findings, or all are waived; 1 findings, or a waiver that has expired; 2 wrong usage; 3 nothing to test at this
address, no valid call that succeeds, or errors in the document or in the waivers.
`

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is not an address. Write http://HOST:PORT or https://HOST.`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'The address must not have a password. Credentials come from the environment: see --help.',
    )
  if (url.search !== '' || url.hash !== '')
    throw new UsageError('The address must not have a query or a fragment.')
  return url
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds > 0)) throw new InvalidArgumentError('Write a number of seconds.')
  return seconds
}
