import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The phrases that docs/contributing/voice.md rules out for texts that people read. */
function oldPhrases(): string[] {
  const page = readFileSync(join(root, 'docs/contributing/voice.md'), 'utf8')
  const [, section = ''] = page.split('## Words that people read')
  const rows = section.split('\n## ')[0]?.match(/^\| `[^|]*/gm) ?? []
  return rows.flatMap((row) => Array.from(row.matchAll(/`([^`]+)`/g), ([, phrase = '']) => phrase))
}

/** Templates, and sources that are not tests. */
function files(): string[] {
  return ['generator', 'runtime', 'service', 'templates'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.(?:ts|js|hbs)$/.test(name) && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
      .filter((name) => !/\.test\.ts$|\/(?:fixtures|testing)\//.test(name)),
  )
}

/** What a person may read of a file: a template without its comments, or the strings of code. */
function shownTexts(file: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.hbs')) return text.replaceAll(/\{\{!--[\s\S]*?--\}\}/g, '')
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return (code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).join('\n')
}

it('pages, commands and messages have none of the words that people should not have to read', () => {
  const phrases = oldPhrases()
  expect(phrases.length).toBeGreaterThan(15)
  const escaped = phrases.map((phrase) => phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`\\b(?:${escaped.join('|')})\\b.*`, 'gi')
  const found = files().flatMap((file) =>
    Array.from(shownTexts(file).matchAll(pattern), ([text]) => `${file}: ${text.slice(0, 80)}`),
  )
  expect(found).toEqual([])
})
