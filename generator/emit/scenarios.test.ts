import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Fence, fencesOf, withFences } from '../../test/fences.js'
import { expectGolden } from '../../test/golden.js'
import {
  diagnosticsText,
  generate,
  jsonAt,
  loadValidators,
  type Outcome,
  sectionText,
  statementOf,
} from '../../test/scenarios/scenario.js'

// Each page of test/scenarios shows one behaviour: a document, then what is generated of single symbols.
// A fence names a file and a symbol: `types.ts#Client`. Its kind is the language, or `diagnostics`, `calls`, or `page`
// for a section of the reference.

const folder = fileURLToPath(new URL('../../test/scenarios/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

describe.each(pages)('scenario %s', (name) => {
  it('generates what its page shows', async () => {
    const page = readFileSync(folder + name, 'utf8')
    expectGolden(folder + name, await rendered(page))
  })
})

it('shows at least one expectation on every page', () => {
  for (const name of pages) {
    const kinds = fencesOf(readFileSync(folder + name, 'utf8')).map((fence) => fence.kind)
    expect(kinds[0], name).toBe('yaml')
    expect(kinds.length, name).toBeGreaterThan(1)
  }
})

/** The page with every expectation replaced by what is generated. */
async function rendered(page: string): Promise<string> {
  const [document, ...expected] = fencesOf(page)
  const hasReference = expected.some(({ kind }) => kind === 'page')
  const outcome = await generate(document?.text ?? '', hasReference ? alone : undefined)
  return withFences(page, (fence) =>
    fence.kind === 'yaml' ? undefined : { text: generatedFor(fence, outcome) },
  )
}

/** No other versions. */
const alone = { versions: [], module: '@scenario/api/client' }

function generatedFor({ kind, target, text }: Fence, outcome: Outcome): string {
  if (kind === 'diagnostics') return diagnosticsText(outcome.diagnostics)
  const [file = '', symbol = ''] = target.split('#')
  const source = outcome.files.get(file)
  if (source === undefined) return `(no ${file}; ${diagnosticsText(outcome.diagnostics)})`
  if (kind === 'page') return sectionText(source, symbol) ?? `(no ${symbol})`
  if (kind === 'json') return jsonAt(source, symbol) ?? `(nothing at ${symbol})`
  if (kind === 'calls') return callsText(source, symbol, text)
  return statementOf(source, symbol) ?? `(no ${symbol})`
}

/** `VALUE => valid VALUE AFTERWARDS` or `VALUE => PATH keyword, …`, one per line. */
function callsText(source: string, symbol: string, text: string): string {
  const [operation = '', side = ''] = symbol.split(' ')
  const validators = loadValidators(source)[operation]
  const validate = side === 'result' ? validators?.result : validators?.params
  if (validate === undefined) return `(no validator of ${symbol})`
  const values = text.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' => ')[0] ?? '']))
  return values
    .map((line) => {
      const value: unknown = JSON.parse(line)
      if (validate(value)) return `${line} => valid ${JSON.stringify(value)}`
      const errors = (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.keyword}`)
      return `${line} => ${errors.join(', ')}`
    })
    .join('\n')
}
