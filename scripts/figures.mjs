// Prints lines and files of each top-level folder, files over 350 lines and folders over 30 files, of commits side by side:
//   node scripts/figures.mjs [COMMIT...]
// Without a commit: HEAD. Counts handwritten TypeScript and JavaScript; `npm run check:imports` counts import cycles.
import './help.mjs'
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'

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
}
