import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Progress, progressOn } from './progress.js'
import type { Terminal } from './terminal.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function shownOn(
  terminal: Pick<Terminal, 'interactive' | 'logged'>,
  run: (progress: Progress) => void,
): string {
  const written: string[] = []
  run(progressOn({ ...terminal, columns: 20, err: (text) => void written.push(text) }))
  return written.join('')
}

it('shows one line that fits and removes it, without control characters of documents', () => {
  const shown = shownOn({ interactive: true }, (progress) => {
    progress('reading a\u001b[2J very long name of a file')
    progress()
  })
  expect(shown).toBe('\r\u001b[Kreading a\\x1b[2J ve\r\u001b[K')
})

it('is silent without a person and a log', () => {
  const shown = shownOn({ interactive: false }, (progress) => {
    progress('reading')
    vi.advanceTimersByTime(60_000)
  })
  expect(shown).toBe('')
})

it('logs whole lines without control characters, once a run takes long, and few of them', () => {
  const shown = shownOn({ interactive: false, logged: true }, (progress) => {
    progress('reading a')
    vi.advanceTimersByTime(4_000)
    progress('comparing a with b,\u001b[2J whose names are long')
    vi.advanceTimersByTime(20_000)
    progress('proving 1')
    progress('proving 2')
    vi.advanceTimersByTime(4_000)
    progress()
    vi.advanceTimersByTime(60_000)
  })
  expect(shown).toBe('comparing a with b,\\x1b[2J whose names are long\nproving 1\n')
})
