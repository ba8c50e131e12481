import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { compared } from '../../test/diff/compared.js'
import { sectionsOf } from '../../test/fences.js'
import { expectFence } from '../../test/golden.js'
import type { Comparison } from './change/change.js'
import { someNames, verdictRows } from './change/protocol.js'

// Each page of test/diff shows a topic: the common part of both documents, then pairs of versions with the changes
// between them: level, id, path, the protocol if it is only one, and the witness if there is one.

const folder = fileURLToPath(new URL('../../test/diff/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

describe.each(pages)('%s', (name) => {
  const sections = sectionsOf(readFileSync(folder + name, 'utf8'))
  it.each(sections.map(({ title, fences }) => [title, fences] as const))('%s', async (_, fences) => {
    const [old, fresh, changes] = fences
    if (changes === undefined) throw new Error('A section has two documents and a fence for the changes')
    expectFence(folder + name, changes, shown(await compared(head + old?.text, head + fresh?.text)))
  })
})

const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'

function shown({ changes, verdict }: Comparison): string {
  const lines = changes.map(({ level, id, path, protocols, evidence }) => {
    const only = someNames(protocols) === '' ? '' : `${protocols.join(' and ')} only`
    const witness = evidence?.witness === undefined ? '' : `witness ${JSON.stringify(evidence.witness)}`
    return [level, id, path, only, witness].filter((part) => part !== '').join('  ')
  })
  const verdicts = verdictRows(verdict).map((row) => `${row.name} ${row.verdict}`)
  return [...lines, verdicts.join(', '), ''].join('\n')
}
