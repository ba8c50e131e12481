// Compares the verdicts and proofs of `diff` with services of both versions, on random documents and edits of all their
// parts.
//
//   npm run fuzz:calls -- [SECONDS [SEED]] [--pairs=NUMBER]
//
// Each pair has its own seed: SEED, SEED + 1 and so on. 0 seconds try one pair; --pairs sets no time. Prints a line of
// JSON for each fault, with its seed and the two documents, shrunk:
//
//   refused         the old version takes a call and the new one refuses it, but the protocol's verdict is compatible or identical
//   read otherwise  both take a call, handlers of the new version get another value, with such a verdict
//   unknown answer  the new version gives an answer that the old one does not describe, with such a verdict
//   proof           a verified proof does not hold
//   same            the edit only says the same in other words, but the verdict is dangerous or breaking
//   thrown          the comparison or its proofs failed
//
// Exit code 1 if there was a fault.
import '../help.mjs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVersions } from '../../generator/dist/cli/diff/diff-reading.js'
import { compare } from '../../generator/dist/diff/compare.js'
import { prove } from '../../generator/dist/diff/proof/prove.js'
import { buildModel } from '../../generator/dist/model/build/build.js'
import { Random } from '../bench-contains/random.mjs'
import { unknownAnswers } from './answers.mjs'
import { attackWith, folder } from './attack.mjs'
import { broken, callsOf, noticed, Running } from './callers.mjs'
import { editedDocument } from './operation-edits.mjs'
import { spelled, usualDocument } from './operations.mjs'
import { shrunk } from './shrink.mjs'

const tally = { pairs: 0, invalid: 0, calls: 0, proofs: 0 }
let faults = 0
/**
 * What a convention decides: callers never received write-only members, and ignore them, and deprecated parts may be
 * removed.
 */
const agreed = /became-not-write-only|write-only-property-removed|removed-with-deprecation/
await attackWith(attack)
console.log(JSON.stringify({ ...tally, faults }))
process.exitCode = faults === 0 ? 0 : 1

async function attack(seed) {
  const random = new Random(seed)
  const old = usualDocument(random)
  const seeds = Array.from({ length: random.once(3) ? 2 : 1 }, () => random.below(2 ** 31))
  const { document, names } = editedDocument(old, seeds, (one) => new Random(one))
  tally.pairs += 1
  const isSame = names.every((name) => name.startsWith('same'))
  const pair = [spelled(old), spelled(document)]
  const found = await faultsOf(pair, seed, isSame)
  if (found === undefined) tally.invalid += 1
  for (const fault of oneOfEach(found ?? [])) {
    faults += 1
    const shows = async (less) =>
      (await faultsOf(less, seed, isSame, true))?.find(
        (one) => one.kind === fault.kind && one.protocol === fault.protocol,
      )
    const [least, last] = await shrunk(pair, shows, fault)
    console.log(JSON.stringify({ seed, edits: names, ...last, old: least[0], new: least[1] }))
  }
}

function oneOfEach(found) {
  return [...new Map(found.map((fault) => [`${fault.kind} ${fault.protocol}`, fault])).values()]
}

/** Undefined if a document is invalid. */
async function faultsOf([old, fresh], seed, isSame, isQuiet = false) {
  const documents = { 'old.json': old, 'new.json': fresh }
  for (const [name, document] of Object.entries(documents))
    writeFileSync(join(folder, name), JSON.stringify(document))
  const places = Object.keys(documents).map((file) => ({ file, cwd: folder }))
  let proven
  let sides
  try {
    const read = await readVersions(places, { buildModel })
    sides = read.map(({ side }) => side)
    if (read.some(({ side, tolerated }) => side?.model === undefined || tolerated > 0)) return undefined
    proven = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
  } catch (error) {
    return [{ kind: 'thrown', why: String(error.stack).slice(0, 600) }]
  }
  try {
    return await faultsBetween(proven, sides, seed, isSame, isQuiet)
  } catch (error) {
    return [{ kind: 'thrown', why: String(error.stack).slice(0, 600) }]
  }
}

async function faultsBetween(proven, sides, seed, isSame, isQuiet) {
  const count = (what, by) => {
    if (!isQuiet) tally[what] += by
  }
  const [before, after] = sides.map((side) => new Running(side))
  const found = []
  for (const change of proven.changes) {
    if (change.proof.status === 'verified') count('proofs', 1)
    const why = await broken(change, before, after)
    if (why !== undefined) found.push({ kind: 'proof', protocol: change.id, why, proof: change.proof })
  }
  const said = proven.changes.map(({ level, id, path, protocols }) => `${level} ${id} ${path} ${protocols}`)
  if (isSame)
    for (const protocol of ['rest', 'jsonrpc'])
      if (isBad(proven.verdict[protocol])) found.push({ kind: 'same', protocol, said })
  if (said.some((change) => agreed.test(change))) return found
  const random = new Random(seed)
  for (const one of before.model.operations) {
    const [rest, jsonrpc] = ['rest', 'jsonrpc'].map((protocol) =>
      followedBy(proven, one, protocol, after.model),
    )
    const calls = await callsOf(before, one, random, 4)
    count('calls', calls.length)
    for (const call of calls) {
      const { protocol } = call
      const partner = protocol === 'rest' ? rest : jsonrpc
      if (isBad(worst(proven, partner?.name ?? one.name, protocol))) continue
      const seen = await noticed(after, [one, partner], call)
      if (seen !== undefined)
        found.push({ kind: seen.kind, protocol, why: seen.why, call: call.request, said })
    }
    const partner = rest ?? jsonrpc
    if (partner === undefined) continue
    for (const { protocols, why } of await unknownAnswers(before, after, [one, partner], random, 6))
      for (const protocol of protocols)
        if (!isBad(worst(proven, partner.name, protocol)))
          found.push({ kind: 'unknown answer', protocol, why, said })
  }
  return found
}

/** The operation of the new version that callers of the old one reach, according to the review. */
function followedBy({ pairs: matched }, { name }, protocol, { operations }) {
  const pair = matched.find((one) => one.old === name && (one.protocol ?? protocol) === protocol)
  return operations.find((one) => one.name === pair?.new)
}

/** The highest level of the review's changes for an operation's callers. */
function worst({ changes }, name, protocol) {
  const levels = changes
    .filter(
      ({ operation, operations, protocols }) =>
        protocols.includes(protocol) && (operation === null || operations.includes(name)),
    )
    .map(({ level }) => level)
  return ['breaking', 'dangerous'].find((level) => levels.includes(level)) ?? 'compatible'
}

function isBad(level) {
  return level === 'breaking' || level === 'dangerous'
}
