// @module-tag long

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { Violation } from '../../runtime/contract/problem-details.js'
import { parameter } from '../../runtime/fixtures/contract.js'
import { checkCharset } from '../../runtime/http/media-type.js'
import { FormBinder } from '../../runtime/rest/server/form.js'
import { coerceText } from '../../runtime/rest/style/coerce.js'
import { MiB } from './bounds-rows.js'

const fields = [
  parameter('list', ['array'], { coerce: { types: ['array'], items: { types: ['integer'] } } }),
  parameter('deep', ['object'], { style: 'deepObject' }),
]
const form = new FormBinder({ type: 'application/x-www-form-urlencoded', kind: 'form', fields })
const multipart = new FormBinder({ type: 'multipart/form-data', kind: 'multipart', fields })
const read = (binder: FormBinder, type: string) => async (body: string) => {
  const violations: Violation[] = []
  const request = { readableDidRead: true, readableEnded: true, headers: { 'content-type': type } }
  const kept = Object.assign(request, { rawBody: Buffer.from(body) }) as unknown as IncomingMessage
  const rule = { limit: 10 * MiB, values: 100_000, parts: 100_000, acceptParsed: false, work: undefined }
  await binder.read(kept, rule, violations)
  return violations
}
const readForm = read(form, 'application/x-www-form-urlencoded')
const readParts = read(multipart, 'multipart/form-data; boundary=b')
const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`

// Readers that the billing document does not use, but documents of other services do.
test.each<[name: string, bound: number, read: (units: number) => unknown]>([
  ['names of a form without a value', 50_000, (count) => readForm('a&'.repeat(count))],
  [
    'names of a form',
    5_000,
    (count) => readForm(Array.from({ length: count }, (_, i) => `n${i}=1`).join('&')),
  ],
  ['items of a form', 10_000, (count) => readForm('list=1&'.repeat(count))],
  [
    'members of a form',
    5_000,
    (count) => readForm(Array.from({ length: count }, (_, i) => `deep[m${i}]=1`).join('&')),
  ],
  ['keys of a name', 64, (count) => readForm(`deep${'[a]'.repeat(count)}=1&`.repeat(50))],
  ['broken escapes of a form', 10_000, (count) => readForm('deep=%ff&'.repeat(count))],
  ['parts of a form', 500, (count) => readParts(`${part('list').repeat(count)}--b--\r\n`)],
  ['a name of a part', 10_000, (size) => readParts(`${part('n'.repeat(size))}--b--\r\n`)],
  ['digits of a text', 50_000, (count) => coerceText('9'.repeat(count), { types: ['number'] }, '/n', [])],
  ['parameters of a media type', 2_000, (count) => checkCharset(`text/plain${';a="\\""'.repeat(count)}`)],
])('reading %s takes as long for each at ten times as many', async (_name, bound, run) => {
  const cpuSeconds = async (units: number) => {
    const start = process.cpuUsage()
    const violations = await run(units)
    const { user, system } = process.cpuUsage(start)
    if (Array.isArray(violations)) expect(violations.length).toBeLessThanOrEqual(50)
    return (user + system) / 1e6
  }
  const usual = await cpuSeconds(bound)
  expect(await cpuSeconds(10 * bound)).toBeLessThan(3 * 10 * usual + 0.2)
})
