import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findConfig } from './config.js'
import { commandSpecs } from './project-specs.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-specs-'))
  for (const file of ['spec/1.0/depot.yaml', 'spec/1.1/openapi.yaml', 'apis/2.0/a.yaml', 'apis/2.0/b.yaml']) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), '')
  }
  const specs = ['spec/1.0/depot.yaml', 'spec', 'apis/2.0/a.yaml', 'apis/2.0/b.yaml']
  writeFileSync(join(cwd, 'duet.config.json'), JSON.stringify({ package: 'depot', specs, baseline: '1.0' }))
})

afterEach(() => rmSync(cwd, { recursive: true }))

it('finds versions in the documents of the config file, as their folders are named', () => {
  expect(commandSpecs(['1.0', '1.1', 'apis/2.0/a.yaml'], cwd)).toEqual([
    'spec/1.0/depot.yaml',
    'spec/1.1/openapi.yaml',
    'apis/2.0/a.yaml',
  ])
  expect(findConfig(cwd)?.baseline).toBe('1.0')
})

it.each(['2.0', '3.0'])('refuses %s, which names no document or two', (version) => {
  expect(() => commandSpecs([version], cwd)).toThrow('Versions there: 1.0, 1.1, 2.0.')
})
