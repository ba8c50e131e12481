import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { test } from 'vitest'
import { generate } from '../scenarios/scenario.js'
test.each(['number', 'bigint', 'string'] as const)('x %s', async (mode) => {
  const { files, diagnostics } = await generate(readFileSync(new URL('int64.yaml', import.meta.url), 'utf8'), undefined, mode)
  console.log(diagnostics)
  mkdirSync(`/tmp/i64/${mode}`, { recursive: true })
  for (const [path, text] of files) if (!path.includes('/')) writeFileSync(`/tmp/i64/${mode}/${path}`, text)
})
