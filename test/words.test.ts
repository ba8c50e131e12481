import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const guide = 'docs/contributing/voice.md'

/** The phrases that the guide rules out for texts that people read. */
function oldPhrases(): string[] {
  const page = readFileSync(join(root, guide), 'utf8')
  const [, section = ''] = page.split('## Words that people read')
  const rows = section.split('\n## ')[0]?.match(/^\| `[^|]*/gm) ?? []
  return rows.flatMap((row) => Array.from(row.matchAll(/`([^`]+)`/g), ([, phrase = '']) => phrase))
}

/** Docs with the help texts (`docs/commands.md`), templates, and sources that are not tests. */
function files(): string[] {
  const folders = ['docs', 'examples', 'spec', 'generator', 'runtime', 'service', 'templates']
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  )
  return [...readdirSync(root), ...below]
    .filter((name) => /\.(?:ts|js|hbs|md)$/.test(name))
    .filter(
      (name) => !/(?:^|\/)(?:node_modules|dist|fixtures|testing|packages|\.\w+)\/|\.test\.ts$/.test(name),
    )
    .filter((name) => name !== guide)
}

/** What a person may read of a file: a page, a template without its comments, or the strings of code. */
function shownTexts(file: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.md')) return text.replaceAll(/(?<=\S)\n(?=\w)/g, ' ')
  if (file.endsWith('.hbs')) return text.replaceAll(/\{\{!--[\s\S]*?--\}\}/g, '')
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return (code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).join('\n')
}

it('docs, pages, commands and messages have none of the words that people should not have to read', () => {
  const phrases = oldPhrases()
  expect(phrases.length).toBeGreaterThan(15)
  const escaped = phrases.map((phrase) => phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`\\b(?:${escaped.join('|')})\\b.{0,60}`, 'gi')
  const found = files().flatMap((file) =>
    Array.from(shownTexts(file).matchAll(pattern), ([text]) => `${file}: ${text.slice(0, 80)}`),
  )
  expect(found).toEqual([])
})
