import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runDuet } from '../../test/in-process.js'

const folder = new URL('.', import.meta.url)
const project = new URL('../..', folder).pathname
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe('the changes that calls are tried for', () => {
  it('are there for each version and the next', () => {
    expect(files).toEqual(['1.0.0-to-1.1.0.json', '1.1.0-to-2.0.0-rc.1.json'])
  })

  it.each(files)('are those of the documents: %s', async (file) => {
    const [from = '', to = ''] = file.replace('.json', '').split('-to-')
    const { out } = await runDuet(project, ['diff', from, to, '--format', 'shadow', '--fail-on', 'none'])
    expect(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))).toEqual(JSON.parse(out))
  })
})
