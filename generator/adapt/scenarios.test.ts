import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { adapted } from '../../test/adapt/adapted.js'
import { sectionsOf } from '../../test/fences.js'
import { expectFence } from '../../test/golden.js'
import { statementOf } from '../../test/scenarios/scenario.js'
import { derivedFile } from './derived-file.js'

// Each page of test/adapt shows a topic: pairs of versions, and what `duet adapt` writes for them: what is derived, and the
// types of what is left to write.

const folder = fileURLToPath(new URL('../../test/adapt/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

describe.each(pages)('%s', (name) => {
  const sections = sectionsOf(readFileSync(folder + name, 'utf8'))
  it.each(sections.map(({ title, fences }) => [title, fences] as const))('%s', async (_, fences) => {
    const [old, fresh, code] = fences
    if (code === undefined) throw new Error('A section has two documents and a fence for the code')
    const { adaptation } = await adapted(old?.text ?? '', fresh?.text ?? '')
    const source = derivedFile(adaptation, { older: '@shop/api/1.0.0', next: '@shop/api/1.1.0' })
    const statements = ['derived', 'parts', 'Written'].flatMap((symbol) => statementOf(source, symbol) ?? [])
    expectFence(folder + name, code, `${statements.map(withoutComment).join('\n\n')}\n`)
  })
})

function withoutComment(statement: string): string {
  return statement.replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
}
