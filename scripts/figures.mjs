// Prints lines and files of each top-level folder, files over 350 lines, folders over 30 files and import circles, of
// commits side by side:
//   node scripts/figures.mjs [COMMIT...]
// Without a commit: HEAD. Counts handwritten TypeScript and JavaScript. The rules for circles are those of this
// checkout.
import './help.mjs'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')

const counted = /^(generator|runtime|service|templates|scripts|test)\/.*\.[cm]?[jt]s$/

/** @param {string[]} args @param {string} [input] */
function git(args, input) {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 30, input })
}

/** Lines by path. @param {string} commit @returns {Map<string, number>} */
function linesOf(commit) {
  const text = git([
    'grep',
    '-c',
    '',
    commit,
    '--',
    ...['generator', 'runtime', 'service', 'templates', 'scripts', 'test'],
  ])
  const found = text.split('\n').flatMap((line) => {
    const [, path = '', count = ''] = /^[^:]*:(.*):(\d+)$/.exec(line) ?? []
    return counted.test(path) ? [/** @type {const} */ ([path, Number(count)])] : []
  })
  return new Map(found)
}

/**
 * How many circles of files and of folders the imports of a commit have. The packages are those of this checkout.
 * @param {string} commit
 */
function circlesOf(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'))
  try {
    const archive = join(folder, 'commit.tar')
    git(['archive', '--output', archive, commit])
    execFileSync('tar', ['-xf', archive, '-C', folder])
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const present = readdirSync(folder)
    const cruised = ['generator', 'runtime', 'service', 'templates'].filter((name) => present.includes(name))
    const config = join(root, '.dependency-cruiser.mjs')
    const output = execFileSync(
      process.execPath,
      [cruiser, '--config', config, '--output-type', 'json', ...cruised],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 },
    )
    /** @type {{ summary: { violations: { rule: { name: string }, cycle?: { name: string }[] }[] } }} */
    const { summary } = JSON.parse(output)
    /** @param {string} rule */
    const count = (rule) =>
      // Each member of a circle reports it.
      new Set(
        summary.violations
          .filter(({ rule: { name } }) => name === rule)
          .map(({ cycle = [] }) =>
            cycle
              .map(({ name }) => name)
              .sort()
              .join(' '),
          ),
      ).size
    return { files: count('no-circles'), folders: count('folders-in-one-direction') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (!existsSync(cruiser)) {
  console.error('The packages are missing. Run `npm ci` first.')
  process.exit(1)
}
const commits = process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']
for (const commit of commits) {
  const files = linesOf(commit)
  /** @type {Map<string, { files: number, lines: number, tests: number }>} */
  const tops = new Map()
  /** @type {Map<string, number>} */
  const folders = new Map()
  for (const [path, lines] of files) {
    const top = path.slice(0, path.indexOf('/'))
    const known = tops.get(top) ?? { files: 0, lines: 0, tests: 0 }
    const isTest = top === 'test' || /\.test\.ts$/.test(path)
    tops.set(top, {
      files: known.files + 1,
      lines: known.lines + (isTest ? 0 : lines),
      tests: known.tests + (isTest ? lines : 0),
    })
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
  }
  console.log(`${commit}: ${git(['log', '-1', '--format=%h %ad %s', '--date=short', commit]).trim()}`)
  for (const [top, { files: count, lines, tests }] of tops)
    console.log(`  ${top}: ${lines} lines, ${tests} lines of tests, ${count} files`)
  const long = [...files].filter(([, lines]) => lines > 350)
  console.log(
    `  files over 350 lines: ${long.map(([path, lines]) => `${path} (${lines})`).join(', ') || 'none'}`,
  )
  const full = [...folders].filter(([, count]) => count > 30)
  console.log(
    `  folders over 30 files: ${full.map(([path, count]) => `${path} (${count})`).join(', ') || 'none'}`,
  )
  const circles = circlesOf(commit)
  console.log(`  import circles: ${circles.files} of files, ${circles.folders} of folders`)
}
