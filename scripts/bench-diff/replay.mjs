// Sends every call that proves a change in a review to mocks of both versions.
//
//   node scripts/bench-diff/replay.mjs OLD NEW
//
// A proof holds if the old version accepts the call and the new one refuses it for the proof's reason, or if
// another operation takes it, as the proof says. The calls are those in reports, run by a shell.
import '../help.mjs'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { versionSource } from '../../generator/dist/cli/diff/diff-source.js'
import { examine } from '../../generator/dist/cli/shared/examine.js'
import { callsOf } from '../../generator/dist/diff/report/proofs.js'
import { emit } from '../../generator/dist/emit/emit.js'
import { contractOf, startMock } from '../../generator/dist/mock/mock.js'
import { buildModel } from '../../generator/dist/model/build/build.js'
import { refuse } from '../help.mjs'

const duet = fileURLToPath(new URL('../../generator/bin/duet.js', import.meta.url))
const [old, fresh] = process.argv.slice(2)
if (old === undefined || fresh === undefined) refuse()
const run = promisify(execFile)

const { changes } = JSON.parse(await review(old, fresh))
const proven = changes.filter(
  ({ proof, direction }) => proof.status === 'verified' && direction !== 'response',
)
const mocks = await Promise.all([old, fresh].map(mockOf))
const tally = { changes: proven.length, calls: 0, hold: 0, fail: 0 }
try {
  for (const { id, operation, proof } of proven) {
    const { basePath = '' } = proof
    const moved = callsOf(followed(proof))
    for (const [index, { title, text, isCommand }] of callsOf(proof).entries()) {
      if (!isCommand) continue
      tally.calls += 1
      const commands = [text, moved[index]?.text ?? text]
      const [before, after] = await Promise.all(
        mocks.map(({ url }, side) => answer(commands[side] ?? text, url + (side === 0 ? basePath : ''))),
      )
      const fault = faultOf(claimOf(proof.new, title), before, after)
      if (fault === undefined) {
        tally.hold += 1
        continue
      }
      tally.fail += 1
      console.log(JSON.stringify({ id, operation, title, fault, new: proof.new, before, after, text }))
    }
  }
} finally {
  for (const mock of mocks) await mock.close()
}
console.log(JSON.stringify(tally))
process.exitCode = tally.fail === 0 ? 0 : 1

/** The proof with whole paths, as sent by a caller who has followed the base path to the new version. */
function followed({ newAddress = {}, basePath, ...proof }) {
  const { rest = proof.rest?.url, jsonrpc = proof.jsonrpcPath, mcp = proof.mcpPath } = newAddress
  return {
    ...proof,
    ...(proof.rest && { rest: { ...proof.rest, url: rest } }),
    ...(jsonrpc && { jsonrpcPath: jsonrpc }),
    ...(mcp && { mcpPath: mcp }),
  }
}

/** @param {string} old @param {string} fresh */
async function review(old, fresh) {
  const args = [duet, 'diff', old, fresh, '--format', 'json', '--fail-on', 'none']
  return (await run(process.execPath, args, { maxBuffer: 2 ** 30 })).stdout
}

/**
 * Why a proof fails; undefined if it holds.
 * @param {string} claim @param {ServiceVerdict} before @param {ServiceVerdict} after
 */
function faultOf(claim, before, after) {
  // The mock may have no example of a result; but then it has accepted the call.
  if (before.refusal !== undefined && before.code !== 'internal_error') return 'the old version refuses it'
  // The mock may have no example of the other operation's result either.
  if (/^\S+ takes it\b/.test(claim)) return undefined
  if (after.refusal === undefined) return 'the new version takes it'
  // The document's own error bodies do not say what is invalid.
  if (after.isOwn) return undefined
  // Other changes may break the same call, too.
  return after.parts.some((part) => claim.includes(part)) ? undefined : 'it is refused for another reason'
}

/** What a proof says of one protocol. @param {string} text @param {string} protocol */
function claimOf(text, protocol) {
  const said = text.replace(/^rejects: /, '')
  const each = said.matchAll(/(.*?) \(((?:(?:REST|JSON-RPC|MCP)(?:, )?)+)\)(?:, |$)/gs)
  const own = [...each].find(([, , names = '']) => names.split(', ').includes(protocol))
  return own?.[1] ?? said
}

/** @typedef {{ refusal: string | undefined, code?: string, isOwn?: boolean, parts: string[] }} ServiceVerdict */

/** @param {string} command @param {string} url @returns {Promise<ServiceVerdict>} */
async function answer(command, url) {
  // A variable for a credential may have any value.
  const names = [...command.matchAll(/\$\{?([A-Z][A-Z0-9_]*)/g)].map(([, name = '']) => name)
  const env = {
    ...Object.fromEntries(names.map((name) => [name, 'x'])),
    PATH: process.env.PATH,
    BASE_URL: url,
  }
  const { stdout } = await run('sh', ['-c', `${command} -s -w '\n%{http_code} %header{problem-code}'`], {
    env,
    maxBuffer: 2 ** 28,
  })
  const end = stdout.lastIndexOf('\n')
  const [digits, problemCode] = stdout.slice(end + 1).split(' ')
  const status = Number(digits)
  const rest = objectIn(stdout.slice(0, end))
  const error = rest.jsonrpc === undefined ? undefined : rest.error
  const failure = rest.result?.isError === true ? problemOf(rest.result) : undefined
  if (status < 400 && error === undefined && failure === undefined) return { refusal: undefined, parts: [] }
  const { title = String(status), code, errors = [] } = failure ?? error?.data ?? rest
  const violations = errors.map((/** @type {{ path: string, message: string }} */ { path, message }) =>
    `${path} ${message}`.trim(),
  )
  const parts = violations.length === 0 ? [title] : violations
  const isInvalid = error === undefined ? problemCode === 'validation_failed' : error.code === -32602
  const isOwn = isInvalid && code === undefined
  return { refusal: `${error?.code ?? status} ${title}`, code, isOwn, parts }
}

/**
 * The problem of a failed MCP call. A tool without an output schema has it in its text, a violation a line.
 * @param {{ structuredContent?: object, content: readonly { text: string }[] }} result
 * @returns {{ title?: string, code?: string, errors?: { path: string, message: string }[] }}
 */
function problemOf({ structuredContent, content }) {
  if (structuredContent !== undefined) return structuredContent
  const [head = '', ...lines] = content
    .map(({ text }) => text)
    .join('\n')
    .split('\n')
  const [, title = head, code] = /^(.*) \((\w+)\)/.exec(head) ?? []
  const errors = lines.map((line) => ({ path: '', message: line.replace(/^The arguments /, '') }))
  return { title, ...(code !== undefined && { code }), errors }
}

/** @param {string} text */
function objectIn(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** @param {string} document */
async function mockOf(document) {
  const { file, cwd, dispose } = versionSource(document, process.cwd())
  const { model, files } = await examine(file, cwd, { buildModel })
  dispose()
  if (model === undefined) throw new Error(`${document} has errors`)
  const contract = await contractOf(await emit(model, files, file))
  const { url, close } = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
  return { url: new URL(url).origin, close }
}
