// What CI checks before its tests; with --long what it checks before its second stage. Two at a time, and each prints when it is done.
import './help.mjs'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isLong = process.argv.includes('--long')
const lanes = isLong
  ? [['types-by-5.9'], ['packages', 'docs']]
  : [
      ['types', 'generated', 'dead'],
      ['style', 'imports'],
    ]

const results = await Promise.all(lanes.map(inTurn))
process.exit(results.flat().every((status) => status === 0) ? 0 : 1)

/** @param {string[]} names */
async function inTurn(names) {
  const statuses = []
  for (const name of names) statuses.push(await check(name))
  return statuses
}

/** @param {string} name @returns {Promise<number>} */
function check(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', `check:${name}`], { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data
      })
    }
    child.once('close', (status) => {
      console.log(`\n> check:${name}${status === 0 ? '' : ' failed'}\n${output}`)
      resolve(status ?? 1)
    })
  })
}
