// Prints the running script's top comment if --help asks for it. Import it before anything else.
import { readFileSync } from 'node:fs'

const [script = '', ...given] = process.argv.slice(1)
if (given.includes('--help') || given.includes('-h')) {
  process.stdout.write(topComment())
  process.exit(0)
}

/** Ends a script that was called with wrong arguments, with its top comment. @param {...string} reasons @returns {never} */
export function refuse(...reasons) {
  process.stderr.write([...reasons, topComment()].join('\n'))
  process.exit(2)
}

function topComment() {
  const [comment] = /^(?:\/\/.*\n)+/.exec(readFileSync(script, 'utf8')) ?? ['']
  return comment.replaceAll(/^\/\/ ?/gm, '')
}
