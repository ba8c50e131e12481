// @module-tag long

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, project } from '../built-duet.js'

// A document's patterns are run on its own texts, and on texts that are made up: one that takes years over forty
// letters must keep no command busy. Each runs as a process, since nothing else can be ended while an expression runs.

const letters = `${'a'.repeat(40)}!`
let cwd: string

beforeAll(async () => {
  expect(await build()).toBe('')
  cwd = mkdtempSync(join(tmpdir(), 'duet-patterns-'))
  write('old.json', document('^(a+)+$', 40))
  write('new.json', document('^(a+)+b?$', 41))
  write('long.json', { type: 'string', minLength: 41, pattern: '^(a+)+$' })
  write('names.json', { type: 'object', required: [letters], patternProperties: { '^(a+)+$': false } })
  write('ahead.json', { type: 'string', enum: [letters], pattern: '^(?=a|b)(?:(?!c)(a+)+)+$' })
  write('counted.json', { type: 'string', enum: ['a'.repeat(16)], pattern: '^(?:a?){30}' })
  write('duet.config.json', { package: '@shop/api', specs: ['old.json'] })
})

afterAll(() => rmSync(cwd, { recursive: true }))

describe('with patterns that double their time with each letter', () => {
  it.each([
    ['lint', 'old.json'],
    ['generate', '--no-cache'],
    ['diff', 'old.json', 'new.json', '--fail-on', 'none'],
    ['contains', 'names.json', 'names.json'],
  ])('%s %s ends', (...args) => {
    expectEnd(args, 0)
  })

  it.each([
    ['long.json', 'names.json', 1],
    ['names.json', 'long.json', 1],
    ['ahead.json', 'long.json', 1],
    ['counted.json', 'long.json', 1],
  ])('contains %s %s gives a verdict or a reason', (first, second, status) => {
    expectEnd(['contains', first, second], status)
  })

  it('a mock refuses texts that do not match, and accepts others', async () => {
    const mock = spawn(process.execPath, [duet, 'mock', 'old.json', '--port', '0'], { cwd })
    try {
      const url = await new Promise<string>((resolve) => {
        let said = ''
        mock.stdout.on('data', (text) => {
          said += text
          const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0]
          if (found !== undefined) resolve(found)
        })
      })
      const post = (body: object) =>
        fetch(`${url}/a`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(20_000),
        })
      expect((await post({ text: letters })).status).toBe(400)
      const answer = await post({ text: 'a'.repeat(40) })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ text: expect.stringMatching(/^a{40,}$/) })
    } finally {
      mock.kill('SIGKILL')
    }
  })
})

const duet = join(project, 'generator/bin/duet.js')

/** Prints the errors of a command that does not end as expected. */
function expectEnd(args: readonly string[], status: number): void {
  const run = spawnSync(process.execPath, [duet, ...args], { cwd, timeout: 240_000, encoding: 'utf8' })
  expect({ status: run.status, signal: run.signal }, run.stderr).toEqual({ status, signal: null })
}

function write(path: string, value: object): void {
  writeFileSync(join(cwd, path), JSON.stringify(value))
}

/** The pattern is on texts and on names, next to texts and names to try it on. */
function document(pattern: string, minLength: number): object {
  const text = { type: 'string', pattern, minLength, examples: [letters], default: letters }
  const names = {
    type: 'object',
    required: [letters],
    properties: { [letters]: { type: 'string', format: 'date-time', 'x-timezone': true } },
    patternProperties: { [pattern]: { $ref: '#/components/schemas/Names' } },
  }
  const keys = { type: 'object', propertyNames: { pattern }, patternProperties: { [pattern]: {} } }
  const body = { type: 'object', required: ['text'], properties: { text, names, keys } }
  const content = { 'application/json': { schema: body, example: { text: letters, keys: { [letters]: 1 } } } }
  return {
    openapi: '3.1.1',
    info: { title: 'Patterns', version: '1.0.0' },
    paths: {
      '/a': {
        post: {
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', pattern } }],
          requestBody: { required: true, content },
          responses: { 200: { description: 'Done', content } },
        },
      },
    },
    components: { schemas: { Names: names } },
  }
}
