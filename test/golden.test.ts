import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fencesOf, sectionsOf, withFences } from './fences.js'
import { writeFence } from './golden.js'

const page = `# Page

\`\`\`sh
true
\`\`\`

It prints nothing:

\`\`\`text
\`\`\`

## A section

\`\`\`ts types.ts#A
let a = '$&'
\`\`\`
`

describe('a golden page', () => {
  it('has fences and the text before them', () => {
    expect(fencesOf(page)).toEqual([
      { index: 0, kind: 'sh', target: '', text: 'true\n', before: '# Page\n\n' },
      { index: 1, kind: 'text', target: '', text: '', before: '\n\nIt prints nothing:\n\n' },
      {
        ...{ index: 2, kind: 'ts', target: 'types.ts#A', text: "let a = '$&'\n" },
        before: '\n\n## A section\n\n',
      },
    ])
  })

  it('has sections, without the text before the first heading', () => {
    expect(sectionsOf(page).map(({ title, fences }) => [title, fences.length])).toEqual([['A section', 1]])
  })

  it('stays as it is if no fence changes', () => {
    expect(withFences(page, () => undefined)).toBe(page)
    expect(withFences(page, ({ text }) => ({ text }))).toBe(page)
  })

  it('gets a text in an empty fence, and loses it again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'duet-golden-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'page.md')
    writeFileSync(path, page)
    const [, output] = fencesOf(page)
    if (output === undefined) throw new Error('The page has two fences')
    writeFence(path, output, '$& printed\n')
    expect(readFileSync(path, 'utf8')).toBe(page.replace('```text\n', () => '```text\n$& printed\n'))
    writeFence(path, output, '')
    expect(readFileSync(path, 'utf8')).toBe(page)
  })
})
