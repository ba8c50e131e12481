// @module-tag long

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createColors } from 'picocolors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { examine } from '../../generator/cli/shared/examine.js'
import { textReport } from '../../generator/cli/shared/report.js'
import { emit } from '../../generator/emit/emit.js'
import { buildModel } from '../../generator/model/build/build.js'
import { bombs } from './bombs.js'
import { faultsOf, steers } from './inertness.js'
import { pageFaults } from './pages.js'

// Documents whose size or shape is the attack: each is refused or generated, within seconds.

const reference = {
  versions: [{ version: '1.0.0', pages: ['index.html'] }],
  module: '@bomb/api/1.0.0/client',
}

const isPage = (path: string): boolean => path.startsWith('reference/')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'duet-bomb-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

// Those that take longest: the usual run has a smaller one of the same shape, or one of as many parts.
const long =
  process.env.HOSTILE === 'all'
    ? []
    : [
        'row of 5,000 references',
        'row of 2,000 allOf',
        'row of 100 schemas with 100 references each',
        '1,500 paths of one name',
        'ring of 2,000 properties',
        'every schema in every other',
        '5,000 properties',
        '300 patterns that backtrack',
      ]
const chosen = Object.entries(bombs).filter(([name]) => !long.includes(name))

/** Those that take a good part of a second, of which others have the shape. */
const slow = [
  ...['own prototype by a merge key', 'thousands of anchors', 'one line of ten megabytes'],
  ...['row of 300 references', 'row of 600 properties', 'ring of 5,000 references', 'doubling properties'],
  ...['row of 6 schemas with 100 properties each', '400 required properties of a body that may be left out'],
  ...['1,000 schemas of one name', '1,000 parameters', '300 parts of a path', 'thousands of errors'],
  ...['row of 100 allOf', 'doubling anyOf', 'doubling datetimes', 'doubling defaults', 'deep flow of YAML'],
  ...[
    'pattern that backtracks, with an example',
    'limits beyond all measure',
    'billion laughs of merge keys',
  ],
]

describe('a document that is made to take for ever', () => {
  it.each(chosen.filter(([name]) => !slow.includes(name)))('%s', defuse)
  it.each(chosen.filter(([name]) => slow.includes(name)))('%s', defuse)

  async function defuse(name: string, bomb: (typeof bombs)[string]): Promise<void> {
    const { file, text, refused = [] } = bomb
    const only = process.env.BOMB
    if (only !== undefined && only !== name) return
    writeFileSync(join(folder, file), text)
    const start = process.cpuUsage()
    const found = await examine(file, folder, { buildModel })
    const report = textReport(found, 100, createColors(false), true)
    const errors = found.diagnostics.filter(({ severity }) => severity === 'error')
    expect([...new Set(errors.map(({ code }) => code))].sort()).toEqual([...refused].sort())
    expect(steers(report)).toBe(false)
    if (found.model !== undefined) {
      const files = await emit(found.model, found.files, file, { reference })
      expect(
        [...files].flatMap(([path, output]) => (isPage(path) ? pageFaults : faultsOf)(path, output)),
      ).toEqual([])
    }
    const { user, system } = process.cpuUsage(start)
    const milliseconds = Math.round((user + system) / 1000)
    if (process.env.BOMB_TIMES) console.log(name, milliseconds)
    // Time of the processor, since a busy machine would make the clock's longer.
    expect(milliseconds).toBeLessThan(6_000)
    expect(readdirSync(folder)).toEqual([file])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  }
})
