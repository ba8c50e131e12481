// Prints the running script's top comment if --help asks for it. Import it before anything else.
import { readFileSync } from 'node:fs'

const [script = '', ...given] = process.argv.slice(1)
if (given.includes('--help') || given.includes('-h')) {
  const [comment] = /^(?:\/\/.*\n)+/.exec(readFileSync(script, 'utf8')) ?? ['']
  process.stdout.write(comment.replaceAll(/^\/\/ ?/gm, ''))
  process.exit(0)
}
