import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { compared } from '../../test/diff/compared.js'
import type { Comparison } from './change/change.js'

// Each page of test/diff shows a topic: what stands in both documents, then pairs of versions with the changes between
// them: level, id, path, the protocol where it is one alone, and the witness where there is one.

const folder = fileURLToPath(new URL('../../test/diff/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

describe.each(pages)('%s', (name) => {
  const page = readFileSync(folder + name, 'utf8')
  const sections = page.split(/^## /m).slice(1)
  let updated = page
  it.each(sections.map((section) => [section.split('\n', 1)[0] ?? '', section]))('%s', async (_, section) => {
    const [old = '', fresh = '', changes = ''] = [...section.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(
      ([, text]) => text,
    )
    const found = shown(await compared(head + old, head + fresh))
    if (update)
      updated = updated.replace(section, () => section.replace(`${changes}\`\`\``, () => `${found}\`\`\``))
    else expect(found).toBe(changes)
  })
  afterAll(() => {
    if (update) writeFileSync(folder + name, updated)
  })
})

const update = process.env.UPDATE_GOLDEN === '1'

const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'

function shown({ changes, verdict }: Comparison): string {
  const lines = changes.map(({ level, id, path, protocols, evidence }) => {
    const only = protocols.length === 1 ? `${protocols[0]} only` : ''
    const witness = evidence?.witness === undefined ? '' : `witness ${JSON.stringify(evidence.witness)}`
    return [level, id, path, only, witness].filter((part) => part !== '').join('  ')
  })
  return [...lines, `REST ${verdict.rest}, JSON-RPC ${verdict.jsonrpc}`, ''].join('\n')
}
