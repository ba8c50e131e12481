import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The modules that a source imports at run time: type imports are erased. */
function loaded(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?\s*'([^']+)'/gm)
  const dynamic = source.matchAll(/\bimport\(\s*'([^']+)'/g)
  return [...statements, ...dynamic].flatMap(([, specifier]) => specifier ?? [])
}

function graphFrom(entry: string): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  const pending = [entry]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (graph.has(file)) continue
    const from = dirname(file)
    const specifiers = loaded(readFileSync(file, 'utf8'))
    graph.set(file, specifiers)
    for (const specifier of specifiers) {
      if (specifier.startsWith('.')) pending.push(resolve(from, specifier.replace(/\.js$/, '.ts')))
    }
  }
  return graph
}

const graph = graphFrom(fileURLToPath(new URL('./client.ts', import.meta.url)))

test('the client only imports its own sources, so that a browser can run it', () => {
  const foreign = [...graph].flatMap(([file, specifiers]) =>
    specifiers.filter((specifier) => !specifier.startsWith('.')).map((specifier) => `${file}: ${specifier}`),
  )
  expect(foreign).toEqual([])
  expect([...graph.keys()].some((file) => file.endsWith('rest/client/transport-style.ts'))).toBe(true)
})

test('the client uses no global that only Node has', () => {
  const named = [...graph.keys()].filter((file) =>
    /\b(process|Buffer|require|setImmediate|__dirname)\b[.(]/.test(readFileSync(file, 'utf8')),
  )
  expect(named).toEqual([])
})

test('the walk finds imports, re-exports and dynamic imports, but not type imports', () => {
  const source = [
    "import { a } from './a.js'",
    "import type { B } from './b.js'",
    "export { type C, c } from './c.js'",
    "export type { D } from './d.js'",
    "import 'e'",
    'import {',
    '  f,',
    "} from 'node:fs'",
    "const g = await import('g')",
  ].join('\n')
  expect(loaded(source)).toEqual(['./a.js', './c.js', 'e', 'node:fs', 'g'])
})
