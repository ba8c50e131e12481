import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { protocolNames, protocols } from './protocol.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Where a new protocol needs a look. Everything else follows from tables that the compiler checks. */
const deciding: Readonly<Record<string, readonly string[]>> = {
  'generator/diff': [
    // A proof sends calls and answers.
    ...['proof/calls/answers.ts', 'proof/calls/calls.ts'],
  ],
  // A counterexample is a call, and calls that pass are bound alike.
  'generator/adapt': ['counterexample.ts', 'passing.ts'],
  // The command that lists tools, and the protocols of a running server.
  'generator/cli': ['mcp.ts', 'program.ts', 'test/test-run.ts', 'test/test.ts'],
  // How a protocol answers, and how two of them differ.
  'generator/probe': [
    ...['caller.ts', 'judge/earlier-judge.ts', 'judge/judge-call.ts', 'judge/judge-rpc.ts'],
    ...['judge/outcome.ts', 'judge/tool-list-faults.ts', 'wire.ts'],
  ],
  // The protocols that an operation offers, samples of calls, and the first call.
  'generator/reference': [
    ...[
      'console-view.ts',
      'operation-view.ts',
      'samples/samples.ts',
      'samples/wire-call.ts',
      'start-view.ts',
    ],
  ],
  // The protocols that an operation offers, their requests and results, and the chosen one.
  'templates/reference/script': [
    'choices.ts',
    'panel.ts',
    'request.ts',
    'samples.ts',
    'side.ts',
    'unsent.ts',
  ],
  // Calls on the next version.
  'runtime/shadow': ['shadow.ts'],
  'runtime/usage': [],
}

/** The name of a protocol in code, or at the start of a line for people. */
const named = new RegExp(
  protocols.flatMap((protocol) => [`'${protocol}'`, `[\`']${protocolNames[protocol]}: `]).join('|'),
)

it.each(Object.entries(deciding))('%s names protocols only where a new one needs a look', (folder, known) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const naming = files.filter((file) => named.test(readFileSync(join(root, folder, file), 'utf8')))
  expect(naming.sort()).toEqual([...known].sort())
})
