import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')

describe('docs/operations.md', () => {
  it('has no command of npm that is not there, and that no test runs as a process', async () => {
    const { scripts } = JSON.parse(await read('package.json'))
    const text = (await read('docs/operations.md')).replaceAll(/\s+/g, ' ')
    const commands = new Set([...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))
    expect([...commands].sort()).toEqual(['backup', 'database:copy', 'restore', 'secret:rotate'])
    const tests = await Promise.all(
      ['backup', 'copy-to-postgres'].map((name) => read(`service/commands/${name}.process.test.ts`)),
    )
    for (const command of commands) {
      const [, file = ''] = /^node service\/dist\/commands\/([\w-]+)\.js$/.exec(scripts[command]) ?? []
      expect(existsSync(join(root, 'service', 'commands', `${file}.ts`))).toBe(true)
      expect(tests.join('\n')).toMatch(new RegExp(`(?:command|commandFile)\\('${file}'`))
    }
  })

  it('names tests that are there, and variables that the README lists', async () => {
    const text = await read('docs/operations.md')
    for (const [, path = ''] of text.matchAll(/`([\w/.-]+\.test\.ts)`/g))
      expect(existsSync(join(root, path))).toBe(true)
    const readme = await read('README.md')
    for (const [, name = ''] of text.matchAll(/`(BILLING_SECRET\w*|DATABASE_\w+|DATA_DIR|CACHE_SECONDS)\b/g))
      expect(readme).toContain(`\`${name}\``)
  })
})
