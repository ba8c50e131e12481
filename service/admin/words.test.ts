import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../../templates/admin/', import.meta.url)
const templates = readdirSync(folder)
  .filter((name) => name.endsWith('.hbs'))
  .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)

/** Words that keep their capital within a sentence. */
const names = new Set(['API', 'CSV', 'JSON-RPC', 'QR', 'REST', 'Reseller', 'Resellers', 'System', 'I'])

it.each(templates)('titles and buttons of %s are in sentence case', (_, text) => {
  const shown = [...text.matchAll(/<(h1|h2|button|summary|th)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , inner]) =>
    (inner ?? '').replace(/\{\{[^}]*\}\}|<[^>]*>/g, ' ').trim(),
  )
  for (const title of shown.filter((each) => each !== '')) {
    const [first = '', ...others] = title.split(/\s+/)
    expect(first).toMatch(/^[A-Z]|^p\d\d$/)
    expect(others.filter((word) => /^[A-Z]/.test(word) && !names.has(word))).toEqual([])
  }
})

it.each(templates)('%s has no words of before', (_, text) => {
  expect(text).not.toMatch(
    /Create the (user|Reseller)|New (user|Reseller)|No such|is told|nobody known|not limited/i,
  )
})

it.each(templates)('regions of %s have names of their own', (_, text) => {
  // Two landmarks with one name cannot be told apart (axe: landmark-unique).
  const headings = [...text.matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, heading]) => heading)
  const regions = [...text.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, label]) => label)
  const names = [...headings, ...regions]
  expect(names).toEqual([...new Set(names)])
})
