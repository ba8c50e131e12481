import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

// Shared by the tests of pages: a reader copies a page's commands into a shell and compares the output.

/** Compares without line breaks, which pages add to fit. `…` in the expected output matches any text. */
export function expectPrinted(printed: string, expected: string): void {
  const joined = (text: string) => text.replaceAll('\n', '')
  const escaped = joined(expected).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  expect(joined(printed)).toMatch(new RegExp(`^${escaped.replaceAll('…', '.*')}$`))
}

/** A shell in a project, with one server. */
export class Shell {
  cwd: string
  readonly #environment: NodeJS.ProcessEnv
  #server: ChildProcess | undefined
  #url = ''

  constructor(cwd: string, environment: NodeJS.ProcessEnv) {
    this.cwd = cwd
    this.#environment = environment
  }

  /**
   * Runs commands in a shell that stops at the first failure, and returns their output. The next call begins in its
   * folder.
   */
  run(commands: string): string {
    const here = commands.replaceAll('http://127.0.0.1:8080', this.#url)
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', `${here}\nprintf '\\n%s' "$PWD"`], {
      cwd: this.cwd,
      encoding: 'utf8',
      env: { ...this.#environment, BASE_URL: this.#url },
    })
    const isGate = /^npx duet diff (?!.*--fail-on none)/.test(commands)
    expect(status, `${commands}\n${stdout}${stderr}`).toBe(isGate ? 1 : 0)
    if (isGate) return stdout
    const end = stdout.lastIndexOf('\n')
    this.cwd = stdout.slice(end + 1)
    return stdout.slice(0, end)
  }

  /** Starts a Node program that prints its address first, and ends the previous one. */
  async start(...args: string[]): Promise<void> {
    await this.stop()
    const env = { ...this.#environment, PORT: '0' }
    this.#server = spawn(process.execPath, args, { cwd: this.cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(this.#server.stdout ?? this.#server, 'data')
    this.#url = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined || server.exitCode !== null) return
    server.kill()
    await once(server, 'exit')
  }
}
