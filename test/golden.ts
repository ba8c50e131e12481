import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { type Fence, withFences } from './fences.js'

// Golden files have the expected text. UPDATE_GOLDEN=1 writes the actual one; read the difference before you keep it.

export const isUpdating = process.env.UPDATE_GOLDEN === '1'

/** The text of a golden file. UPDATE_GOLDEN=1 writes the actual text first. */
export function goldenText(path: string, actual: string): string {
  if (isUpdating) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, actual)
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : 'no such file; set UPDATE_GOLDEN=1'
}

/** Compares a text with a golden file. */
export function expectGolden(path: string, actual: string): void {
  expect(actual).toBe(goldenText(path, actual))
}

/** Compares a text with the text of a page's fence. */
export function expectFence(path: string, fence: Fence, actual: string): void {
  if (isUpdating) writeFence(path, fence, actual)
  else expect(actual).toBe(fence.text)
}

/** Replaces only the text of a page's fence. */
export function writeFence(path: string, { index }: Fence, text: string): void {
  const page = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    withFences(page, (fence) => (fence.index === index ? { text } : undefined)),
  )
}
