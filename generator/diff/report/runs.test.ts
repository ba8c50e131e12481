import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import type { Json } from '../../document/document.js'
import { curlOf, curlOfEnvelope } from './curl.js'
import { runsOf, shownJson } from './runs.js'

const long = 'a'.repeat(15_001)

it('separates a repetition from the text around it', () => {
  expect(runsOf(`x${long}y`)).toEqual(['x', { unit: 'a', count: 15_001 }, 'y'])
  expect(runsOf('ab'.repeat(150))).toEqual([{ unit: 'ab', count: 150 }])
  expect(runsOf('a'.repeat(199))).toEqual(['a'.repeat(199)])
  expect(runsOf('')).toEqual([])
})

it('finds a repetition at any position', () => {
  const other = Array.from({ length: 40 }, (_, index) => `${index} is not ${index * 7}; `).join('')
  for (let at = 0; at < 250; at += 1) {
    const text = `${other.slice(0, at)}${'='.repeat(200)}`
    expect(runsOf(text).at(-1), `at ${at}`).toEqual({ unit: '=', count: 200 })
  }
})

it('shows a long text or list as an expression', () => {
  expect(shownJson({ a: long })).toBe('{"a":"a".repeat(15001)}')
  expect(shownJson({ a: `x${long}"` })).toBe('{"a":"x" + "a".repeat(15001) + "\\""}')
  expect(shownJson(Array(300).fill({ b: 1 }))).toBe('Array(300).fill({"b":1})')
})

it.each<Json>([{ a: [1, { b: [] }], c: {}, d: 'e', f: null }, [], '', 'a\u202e', [[{}]], true])(
  'other values are JSON as ever: %j',
  (value) => {
    expect(shownJson(value)).toBe(JSON.stringify(value).replaceAll('\u202e', '\\u202e'))
    expect(shownJson(value, 2)).toBe(JSON.stringify(value, null, 2).replaceAll('\u202e', '\\u202e'))
  },
)

it('lets the shell of a command line build repetitions', () => {
  const url = `/a?q='${'é%20'.repeat(80)}`
  const headers = { 'x-key': `${'b'.repeat(300)}$API_KEY` }
  const credentials = { headers, query: '' }
  const body = { text: `$HOME${'a'.repeat(250)}'`, list: Array(300).fill(0) }
  const line = curlOf({ method: 'POST', url, headers, body }, credentials)
  expect(line.length).toBeLessThan(500)
  const called = { jsonrpc: '2.0', id: 1, method: 'a', params: body }
  const [rest, rpc] = [line, curlOfEnvelope(called)].map((text) => {
    const script = `curl() { printf '%s\\n' "$@"; }\n${text}`
    return spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, API_KEY: 'k' },
    }).stdout
  })
  expect(rest?.split('\n').slice(2, 7)).toEqual([
    url,
    '-H',
    `x-key: ${'b'.repeat(300)}k`,
    '--data-raw',
    JSON.stringify(body),
  ])
  expect(rpc).toContain(JSON.stringify(called))
})
