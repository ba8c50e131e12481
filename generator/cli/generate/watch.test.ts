import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { build } from '../../../test/built-duet.js'
import { allStages, testTerminal } from '../../../test/in-process.js'
import { filesOf } from '../../emit/version-files.js'
import { watch } from './watch.js'

// A real process and a real file system: saving depends on both.

const project = fileURLToPath(new URL('../../..', import.meta.url))
const program = fileURLToPath(new URL('../../bin/duet.js', import.meta.url))
/** How many files version 1.0.0 has: those of every version, the manifest, and its reference. */
const files = filesOf(false).length + 1 + readdirSync(join(project, 'generated/1.0.0/reference')).length
let cwd: string
let child: ChildProcess | undefined
let out: string
let err: string

beforeAll(async () => {
  expect(await build()).toBe('')
})

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-watch-'))
  cpSync(join(project, 'spec/1.0.0'), join(cwd, 'spec/1.0.0'), { recursive: true })
  write('duet.config.json', '{ "package": "@shop/api" }')
  mkdirSync(join(cwd, 'node_modules'))
})

afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  child = undefined
  rmSync(cwd, { recursive: true })
})

async function start(...args: string[]): Promise<void> {
  out = ''
  err = ''
  child = spawn(process.execPath, [program, 'generate', '--watch', ...args], { cwd })
  child.stdout?.on('data', (text) => {
    out += text
  })
  child.stderr?.on('data', (text) => {
    err += text
  })
  await until(() => /Ctrl\+C ends|Waiting/.test(out))
}

/** The exit code and the signal that the process ends with. */
async function endedBy(signal: 'SIGINT' | 'SIGTERM'): Promise<unknown[]> {
  const exit = child === undefined ? [] : once(child, 'exit')
  child?.kill(signal)
  return await exit
}

/** Resolves when a condition holds. Throws with the printed output if it never does. */
async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 280_000; performance.now() < end; ) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`It never came to that. Printed:\n${out}\n${err}`)
}

function write(path: string, text: string): void {
  writeFileSync(join(cwd, path), text)
}

const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
const spec = 'spec/1.0.0/openapi.yaml'
const types = 'generated/1.0.0/types.ts'

/** The document with another summary. */
const described = (text: string) => read(spec).replace(/^( +summary: ).*$/m, `$1${text}`)

function holds(path: string, text: string): boolean {
  try {
    return read(path).includes(text)
  } catch {
    return false
  }
}

describe('duet generate --watch', () => {
  it('generates at once, and reports changes after each save', async () => {
    await start()
    expect(out).toContain(`  1.0.0: 6 operations, ${files} written, 0 unchanged (generated/1.0.0)\n`)
    const text = read(spec).replace('paths:\n', `paths:\n${ping}`)
    write(spec, text)
    await until(() => holds('generated/1.0.0/operations.ts', 'ping.send'))
    await until(() => /1 added/.test(out))
    expect(out).toMatch(
      /spec\/1\.0\.0\/openapi\.yaml saved\n {2}1\.0\.0: operations: 1 added \(ping\.send\), \d+ written, \d+ unchanged/,
    )
    write(spec, text.replace('description: Done', 'description: Done well'))
    await until(() => /saved[\s\S]*saved\n.*written/.test(out))
    write(spec, text.replace(ping, ''))
    await until(() => /1 removed \(ping\.send\)/.test(out))
    expect(holds('generated/1.0.0/operations.ts', 'ping.send')).toBe(false)
  })

  it('writes soon after a save', { tags: 'long' }, async () => {
    await start()
    const times: number[] = []
    for (let round = 0; round < 7; round += 1) {
      const text = described(`Round ${round}.`)
      const began = performance.now()
      write(spec, text)
      await until(() => holds('generated/1.0.0/openapi.json', `Round ${round}.`))
      times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    const median = times.sort((a, b) => a - b)[3]
    // 150 ms on an idle machine.
    expect(median).toBeLessThan(3_000)
  })

  it('follows an editor that puts another file in place, and several saves at once', {
    tags: 'long',
  }, async () => {
    await start()
    for (const word of ['First', 'Second']) {
      write(`${spec}.tmp`, described(`${word} rename.`))
      rmSync(join(cwd, spec))
      renameSync(join(cwd, `${spec}.tmp`), join(cwd, spec))
      await until(() => holds('generated/1.0.0/openapi.json', `${word} rename.`))
    }
    await until(() => /saved[\s\S]*saved[\s\S]*written/.test(out))
    const [before, texts] = [out.length, [0, 1, 2, 3, 4].map((index) => described(`Save ${index}.`))]
    for (const text of texts) write(spec, text)
    await until(() => holds('generated/1.0.0/openapi.json', 'Save 4.'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    // One run, or two if the machine is so busy that the saves are far apart.
    expect(out.slice(before).match(/saved/g)?.length).toBeLessThan(3)
    expect(err).toBe('')
  })

  it('does nothing if a save changes nothing or another file changes, and ends with 0 on SIGINT', {
    tags: 'long',
  }, async () => {
    await start()
    const before = out
    write(spec, read(spec))
    write('notes.txt', 'x')
    write('spec/1.0.0/notes.txt', 'x')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(out).toBe(before)
    expect(await endedBy('SIGINT')).toEqual([0, null])
  })

  it('shows an error once, keeps the output, and reports when the error is fixed', {
    tags: 'long',
  }, async () => {
    await start()
    const [good, generated] = [read(spec), read(types)]
    write(spec, `${good}\nservers: 1\n`)
    await until(() => out.includes('Waiting for the next save.'))
    expect(err).toMatch(/spec\/1\.0\.0\/openapi\.yaml:\d+:\d+ error \S+\n[\s\S]*> +\d+ \| /)
    expect(read(types)).toBe(generated)

    const errors = err
    write(spec, `${good}\nservers: 1\n\n`)
    await until(() => out.includes('  the same errors as before\n'))
    expect(err).toBe(errors)

    // Restores the old content.
    const before = out.length
    write(spec, good)
    await until(() => out.slice(before).includes(` 0 written, ${files} unchanged`))

    write(spec, `${good}\nservers: 1\n`)
    await until(() => out.slice(before).includes('Waiting for the next save.'))
    write(spec, good.replace('paths:\n', `paths:\n${ping}`))
    await until(() => holds(types, 'PingSend'))
    expect(await endedBy('SIGTERM')).toEqual([0, null])
  })

  it.each(['log.txt', 'spec/1.0.0/log.yaml'])(
    'does not wake itself by errors that go to %s',
    { tags: 'long' },
    async (log) => {
      const good = read(spec)
      write(spec, `${good}\nservers: 1\n`)
      const file = openSync(join(cwd, log), 'w')
      child = spawn(process.execPath, [program, 'generate', '--watch'], {
        cwd,
        stdio: ['ignore', file, file],
      })
      closeSync(file)
      const waits = () => read(log).match(/Waiting for the next save/g)?.length ?? 0
      await until(() => waits() > 0)
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect(waits()).toBe(1)
      write(spec, good)
      await until(() => read(log).includes(`6 operations, ${files} written`))
    },
  )

  it('starts with a document that is wrong, and waits for the file that is missing', {
    tags: 'long',
  }, async () => {
    const good = read(spec)
    write(spec, good.replace('paths:\n', 'paths:\n  /parts: { $ref: parts/item.yaml }\n'))
    await start()
    expect(err).toContain('reference-file-missing')
    mkdirSync(join(cwd, 'spec/1.0.0/parts'))
    write('spec/1.0.0/parts/item.yaml', ping.replace('  /ping:\n', '').replaceAll(/^ {4}/gm, ''))
    await until(() => holds(types, 'PingSend'))
    write('spec/1.0.0/parts/item.yaml', read('spec/1.0.0/parts/item.yaml').replace('ping.send', 'ping.back'))
    await until(() => holds(types, 'PingBack'))
    expect(out).toContain('spec/1.0.0/parts/item.yaml saved\n')
  })

  it('follows the config file and its templates, and new versions', { tags: 'long' }, async () => {
    mkdirSync(join(cwd, 'words'))
    write('words/package-readme.hbs', 'Our {{name}}\n')
    await start()
    write('duet.config.json', '{ "package": "@shop/api", "templates": "words" }')
    await until(() => holds('generated/README.md', 'Our @shop/api'))
    write('words/package-readme.hbs', 'Their {{name}}\n')
    await until(() => holds('generated/README.md', 'Their @shop/api'))
    write('duet.config.json', '{')
    await until(() => out.includes('Waiting for the next save.'))
    expect(err).toContain('duet.config.json is not JSON')
    write('duet.config.json', '{ "package": "@shop/store" }')
    await until(() => holds('generated/package.json', '@shop/store'))
    mkdirSync(join(cwd, 'spec/1.1.0'))
    write('spec/1.1.0/openapi.yaml', read(spec).replace('version: 1.0.0', 'version: 1.1.0'))
    await until(() => holds('generated/1.1.0/manifest.json', '1.1.0'))
    rmSync(join(cwd, 'spec/1.1.0'), { recursive: true })
    await until(() => out.includes('spec/1.1.0/openapi.yaml gone\n'))
    await until(() => !holds('generated/1.1.0/manifest.json', '1.1.0'))
  })

  it('follows the modules that an emitter imports, and those that they import', {
    tags: 'long',
  }, async () => {
    mkdirSync(join(cwd, 'emit/words'), { recursive: true })
    write('duet.config.json', '{ "package": "@shop/api", "emitters": ["./emit/note.ts"] }')
    write(
      'emit/note.ts',
      "import { line } from './line.js'\nexport const emitter = { name: 'note', emit: () => [['note.txt', line]] }\n",
    )
    write('emit/line.ts', "import { word } from './words/word.ts'\nexport const line = word + '!'\n")
    write('emit/words/word.ts', "export const word: string = 'first'\n")
    await start()
    expect(read('generated/1.0.0/note.txt')).toBe('first!')
    write('emit/words/word.ts', "export const word: string = 'second'\n")
    await until(() => holds('generated/1.0.0/note.txt', 'second!'))
    expect(out).toContain('emit/words/word.ts saved\n')
  })
})

describe('an emitter that never ends', () => {
  it('is named, and the next save starts anew', { tags: 'long' }, async () => {
    write('duet.config.json', '{ "package": "@shop/api", "emitters": ["./idle.mjs"] }')
    write(
      'idle.mjs',
      `let runs = 0
      export const emitter = { name: 'idle', emit: () => (runs++ === 0 ? new Promise(() => {}) : [['idle.txt', 'awake']]) }`,
    )
    const { terminal, written } = testTerminal(cwd)
    const before = process.listeners('SIGTERM')
    const watching = watch({ specs: [], cache: false, patience: 200 }, terminal, allStages)
    const said = (text: string) => vi.waitFor(() => expect(written.out).toContain(text), 280_000)
    await said('Waiting for the next save.')
    expect(written.err).toBe(
      'The emitter idle has not ended within 0.2 s. duet stops waiting.\nNothing has been written.\n',
    )
    write(spec, described('Another.'))
    await vi.waitFor(() => expect(written.out).toMatch(/\d+ written/), 280_000)
    expect(read('generated/1.0.0/idle.txt')).toBe('awake')
    for (const listener of process.listeners('SIGTERM')) if (!before.includes(listener)) listener('SIGTERM')
    expect(await watching).toBe(0)
  })
})

const ping = `  /ping:
    get:
      x-rpc-method: ping.send
      x-provenance: assumed
      security: []
      responses: { "204": { description: Done } }
`
