import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** Parts of other scripts, which run them with arguments. */
const parts = [
  'attack-diff/attack.mjs',
  'attack-service/attacker.mjs',
  'bench-diff/peers/compare.mjs',
  'bench-documents/peers.mjs',
  'bench-server/serve.mjs',
]

const scripts = readdirSync('scripts', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.mjs') && path !== 'help.mjs' && !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(join('scripts', path), 'utf8') }))

it('every script that takes arguments has --help', () => {
  const taking = scripts.filter(({ text }) => /parseArgs|process\.argv\b/.test(text))
  const silent = taking.filter(({ text }) => !/import '\.\.?\/help\.mjs'|help: \{ type: 'boolean'/.test(text))
  expect(silent.map(({ path }) => path).sort()).toEqual(parts)
})

it('--help prints the comment at the top, and nothing runs', () => {
  const out = execFileSync(process.execPath, ['scripts/test.mjs', '--help'], { encoding: 'utf8' })
  expect(out).toBe(
    'The test command: build, tests of the first stage; with --long checks and tests of the second stage, with --all checks\n' +
      'and tests of both, as CI does. Its last line is `N passed, N failed`, whatever happens.\n',
  )
})

// Scripts are not compiled, so a name that moved to another file would be missed until somebody runs them.
it('every name that a script imports from the build is exported by its source', () => {
  const missing = scripts.flatMap(({ path, text }) =>
    [...text.matchAll(/^import \{([^}]*)\} from '(\.[^']*\/dist\/[^']*)'/gm)].flatMap(
      ([, names = '', from = '']) => {
        const source = join('scripts', dirname(path), from.replace('/dist/', '/').replace(/js$/, 'ts'))
        const exported = existsSync(source) ? readFileSync(source, 'utf8') : ''
        return [...names.matchAll(/(\w+)(?: as \w+)?/g)]
          .filter(([, name]) => !new RegExp(`^export (?:\\{[^}]*|[\\w ]*)\\b${name}\\b`, 'm').test(exported))
          .map(([, name]) => `${path}: ${name} of ${source}`)
      },
    ),
  )
  expect(missing).toEqual([])
})
