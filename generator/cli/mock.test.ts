// @module-tag long

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../test/built-duet.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const program = fileURLToPath(new URL('../bin/duet.js', import.meta.url))

beforeAll(async () => {
  expect(await build()).toBe('')
})

function duet(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'mock', ...args], {
    cwd: project,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('duet mock', () => {
  it('prints an example call that works, and ends on SIGTERM', async () => {
    const mock = spawn(process.execPath, [program, 'mock', '1.0.0', '--port', '0', '--seed', '7'], {
      cwd: project,
    })
    const exited = once(mock, 'exit')
    let out = ''
    for await (const chunk of mock.stdout) {
      out += chunk
      if (out.includes('Ctrl+C ends.')) break
    }
    expect(out).toMatch(
      /^Billing Service API 1\.0\.0: 6 operations at (http:\/\/127\.0\.0\.1:\d+) \(seed 7\)\n\ncurl -H 'X-Api-Key: any' \1\/clients\/1\n/,
    )
    expect(out).toMatch(
      /\nThe reference, with all operations to try: http:\/\/127\.0\.0\.1:\d+\/reference\/\n/,
    )
    const commands = out.split('\n').filter((line) => line.startsWith('curl '))
    const answers = commands.map((command) =>
      JSON.parse(spawnSync('sh', ['-c', command.replace('curl', 'curl -s')], { encoding: 'utf8' }).stdout),
    )
    expect(answers[0]).toMatchObject({ id: 1, currency: 'EUR' })
    expect(answers[1].result).toEqual(answers[0])
    mock.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  it('reports a used port in one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    expect(duet('1.0.0', '--port', String(port))).toEqual({
      status: 1,
      stdout: '',
      stderr: `Port ${port} of 127.0.0.1 is in use. Choose another with --port.\n`,
    })
    server.close()
  })

  it.each([
    [['1.0.0', '--port', '65536'], 2, 'Write a number from 0 to 65535.'],
    [['9.9.9'], 2, '9.9.9 is neither a file nor a version under spec/.'],
    [['spec'], 2, 'spec is a folder. Versions there: 1.0.0, '],
    [[], 2, "missing required argument 'spec'\nRun duet mock --help for its arguments and options."],
    [
      ['1.0.0', '--host', 'no.such.host'],
      1,
      'no.such.host is not an address of this machine. Choose another',
    ],
    [['package.json'], 3, 'error'],
  ])('%j exits with %d', (args, code, message) => {
    const { status, stdout, stderr } = duet(...args)
    expect({ status, stdout }).toEqual({ status: code, stdout: '' })
    expect(stderr).toContain(message)
  })
})
