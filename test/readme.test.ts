import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runDuet } from './in-process.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = `${root}README.md`

/** A fence with one command alone, and the fence right behind it. */
const shown = /^```\nnpx duet (diff .*)\n```\n\n```\n([^`]*)```$/gm

describe('the README', () => {
  const examples = [...readFileSync(readme, 'utf8').matchAll(shown)]

  it('shows a review', () => {
    expect(examples).not.toEqual([])
  })

  it.each(examples.map(([, command = '', output = '']) => [command, output]))(
    'shows what duet %s prints',
    async (command, output) => {
      const { out } = await runDuet(root, command.split(' '))
      if (process.env.UPDATE_GOLDEN === '1')
        writeFileSync(
          readme,
          readFileSync(readme, 'utf8').replace(output, () => out),
        )
      else expect(out).toBe(output)
    },
  )
})
