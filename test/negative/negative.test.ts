import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createColors } from 'picocolors'
import { describe, expect, it } from 'vitest'
import { examine } from '../../generator/cli/shared/examine.js'
import { textReport } from '../../generator/cli/shared/report.js'
import { catalogue } from '../../generator/diagnostics/catalogue.js'
import { gateErrors, gateWarnings } from '../../generator/diagnostics/codes-gate.js'
import { unlintedErrors } from '../../generator/diagnostics/codes-unlinted.js'
import { lint } from '../../generator/lint/lint.js'
import { uncomparedRules } from '../../generator/lint/rules/rules.js'
import { loadDocument } from '../../generator/load/load.js'
import { buildModel } from '../../generator/model/build/build.js'
import { expectGolden } from '../golden.js'

// Every document NAME.yaml or NAME.json in a topic's folder has duet's output next to it, in NAME.EXT.txt.
// A folder `parts` holds the files that documents refer to.

const root = fileURLToPath(new URL('.', import.meta.url))
const topics = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const cases = topics.flatMap(({ name: topic }) =>
  readdirSync(join(root, topic))
    .filter((file) => ['.yaml', '.json'].includes(extname(file)))
    .map((file) => ({ topic, file })),
)
// The one document that is not there.
cases.push({ topic: 'kind', file: 'missing-file.yaml' })

const findings = new Map(
  await Promise.all(
    cases.map(async ({ topic, file }) => {
      const found = await examine(file, join(root, topic), { buildModel }, { isLinting: true })
      return [`${topic}/${file}`, found] as const
    }),
  ),
)

describe('a broken document', () => {
  it.each(cases)('gets exactly the expected text: $topic/$file', ({ topic, file }) => {
    const found = findings.get(`${topic}/${file}`)
    const text = found === undefined ? '' : textReport(found, 100, createColors(false), true)
    expectGolden(join(root, topic, `${file}.txt`), text)
  })

  it('exists for every code that a document can have', () => {
    const others = new Set(Object.keys({ ...gateErrors, ...gateWarnings, ...unlintedErrors }))
    const given = new Set(
      [...findings.values()].flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)),
    )
    expect([...given].sort()).toEqual(
      Object.keys(catalogue)
        .filter((code) => !others.has(code))
        .sort(),
    )
  })

  it('makes the model stage report each code of a document that was not linted', () => {
    const codes = cases.flatMap(({ topic, file }) => {
      const { document } = loadDocument(file, { cwd: join(root, topic) })
      return document === undefined ? [] : buildModel(document).diagnostics.map(({ code }) => code)
    })
    expect(codes).toEqual(expect.arrayContaining(Object.keys(unlintedErrors)))
  })

  it('has no finding that decides a review, by a rule that reviews skip', () => {
    const skipped = [...findings.values()].flatMap(({ document }) =>
      document === undefined ? [] : lint(document, undefined, uncomparedRules),
    )
    expect(skipped).not.toEqual([])
    const deciding = skipped.filter((one) => one.severity === 'error' || catalogue[one.code].isAmbiguous)
    expect(deciding).toEqual([])
  })

  it('has a diagnostic, and no text without a document remains', () => {
    for (const [name, { diagnostics }] of findings) expect(diagnostics, name).not.toEqual([])
    const texts = topics.flatMap(({ name: topic }) =>
      readdirSync(join(root, topic))
        .filter((file) => file.endsWith('.txt'))
        .map((file) => `${topic}/${file.slice(0, -4)}`),
    )
    expect(texts.sort()).toEqual([...findings.keys()].sort())
  })

  it('shows nothing of a control character that could steer a terminal', () => {
    const texts = [...findings.values()].map((found) => textReport(found, 100, createColors(false), true))
    expect(texts.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})
