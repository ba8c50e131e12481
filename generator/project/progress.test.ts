import { expect, it } from 'vitest'
import { progressOn } from './progress.js'

function shownOn(interactive: boolean): string {
  const written: string[] = []
  const progress = progressOn({ interactive, columns: 20, err: (text) => void written.push(text) })
  progress('reading a\u001b[2J very long name of a file')
  progress()
  return written.join('')
}

it('shows one line that fits and removes it, without control characters of documents', () => {
  expect(shownOn(true)).toBe('\r\u001b[Kreading a\\x1b[2J ve\r\u001b[K')
})

it('is silent unless a person watches', () => {
  expect(shownOn(false)).toBe('')
})
