import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('document.mjs', import.meta.url))

/**
 * Reads documents in a child process. Starts a new one if it died or took too long, and after some documents.
 */
export class Reader {
  /** Modules that a process has imported stay in its memory. */
  static most = 30
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process
  #read = 0

  /** @param {number} patience milliseconds for one document */
  constructor(patience) {
    this.patience = patience
  }

  /** @param {import('./document.mjs').Task} task @returns {Promise<import('./document.mjs').Answer>} */
  async read(task) {
    if (this.#read >= Reader.most) this.end()
    this.#read += 1
    this.#process ??= fork(child, {
      execArgv: ['--max-old-space-size=3072'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const running = this.#process
    return new Promise((resolve) => {
      let said = ''
      const note = (/** @type {Buffer} */ text) => (said = `${said}${text}`.slice(-2000))
      const finish = (/** @type {import('./document.mjs').Answer} */ answer) => {
        clearTimeout(timer)
        running.removeAllListeners()
        running.stderr?.off('data', note)
        resolve(answer)
      }
      const fail = (/** @type {string} */ code, /** @type {string} */ text) => {
        this.end()
        finish({ faults: [{ code, text }] })
      }
      const timer = setTimeout(() => fail('time', `more than ${this.patience / 1000} s`), this.patience)
      running.stderr?.on('data', note)
      running.on('message', finish)
      running.on('exit', (code) =>
        fail(`exit ${code}`, said.split('\n').find((line) => /error/i.test(line)) ?? said),
      )
      running.send(task)
    })
  }

  end() {
    this.#process?.kill('SIGKILL')
    this.#process = undefined
    this.#read = 0
  }
}
