// Compares the verdicts of `diff` with containment of the whole and with AJV, on small edits of random schemas: usual
// ones, and ones over all keywords.
//
//   npm run fuzz:diff -- [SECONDS [SEED]] [--pairs=NUMBER]
//
// Each pair has its own seed: SEED, SEED + 1 and so on. 0 seconds try one pair; --pairs sets no time. Prints a line of
// JSON for each fault, with its seed:
//
//   overlooked   the verdict over JSON-RPC is not dangerous or breaking, but one version sends a value that the other refuses
//   alarm        only containment of the whole found that; the comparison of parts missed it
//   overcalled   a schema change is dangerous or breaking, but every value that is sent is accepted
//   thrown       the comparison failed
//
// Exit code 1 if something was overlooked or thrown.
import '../help.mjs'
import { contains } from '../../generator/dist/contains/contains.js'
import { catalogueEntry } from '../../generator/dist/diff/change/catalogue.js'
import { compare } from '../../generator/dist/diff/compare.js'
import { SchemaMaker } from '../attack-contains/schemas.mjs'
import { Random } from '../bench-contains/random.mjs'
import { attackWith, folder } from './attack.mjs'
import { documentAround, places, sideOf } from './documents.mjs'
import { edited, usualSchema } from './edits.mjs'
import { alone, asSent, overlooked } from './oracle.mjs'

const whole = new Set(['request-params-narrowed', 'response-result-widened'])
/** What a convention decides, whatever the schemas accept, and the edits that remove a property. */
const agreed = /default/
const removing = new Set(['noProperty', 'otherProperty', 'undeclared', 'bare', 'fewer', 'unwrapped'])

const tally = {
  pairs: 0,
  refused: 0,
  quiet: 0,
  overlooked: 0,
  alarm: 0,
  overcalled: 0,
  thrown: 0,
}
await attackWith(attack)
console.log(JSON.stringify(tally))
process.exitCode = tally.overlooked + tally.thrown === 0 ? 0 : 1

async function attack(seed) {
  const random = new Random(seed)
  const old = random.once(3) ? anySchema(random) : usualSchema(random)
  const fresh = edited(old, random)
  tally.pairs += 1
  const place = random.pick(places)
  const sides = [
    await sideOf(folder, 'old.json', documentAround(place, old)),
    await sideOf(folder, 'new.json', documentAround(place, fresh)),
  ]
  if (sides.includes(undefined)) tally.refused += 1
  else judge({ seed, place: place.name, edits: fresh.names, old, fresh }, place.directions, sides, random)
}

/** A schema over all keywords. */
function anySchema(random) {
  const { definitions, ...schema } = new SchemaMaker(random, '2020-12').document()
  const whole = JSON.stringify({ schema, shared: { Node: definitions.x } })
  return JSON.parse(whole.replaceAll(/#(\/definitions\/)?x"/g, '#/components/schemas/Node"'))
}

function judge({ old, fresh, ...about }, directions, sides, random) {
  const told = { ...about, old: without(old), fresh: without(fresh) }
  let changes
  try {
    changes = compare(...sides, { today: '2026-11-21' }).changes.filter(({ protocols }) =>
      protocols.includes('jsonrpc'),
    )
  } catch (error) {
    return report('thrown', { ...told, error: String(error.stack) })
  }
  for (const direction of directions) {
    const found = changes.filter(({ id }) => catalogueEntry(id).direction === direction)
    const bad = found.filter(({ level }) => level === 'breaking' || level === 'dangerous')
    const said = bad.map(
      ({ level, id, path, evidence }) => `${level} ${id} ${path} ${JSON.stringify(evidence)}`,
    )
    const [from, to] = direction === 'request' ? [old, fresh] : [fresh, old]
    if (bad.length === 0) {
      tally.quiet += 1
      const value = overlooked(direction, from, to, random)
      if (value !== undefined)
        report('overlooked', {
          ...told,
          direction,
          value,
          changes: found.map(({ id, path }) => `${id} ${path}`),
        })
    } else if (bad.some(({ id }) => whole.has(id))) report('alarm', { ...told, direction, said })
    else if (bad.every(({ id }) => !isAgreed(id, about.edits)) && isContained(direction, from, to))
      report('overcalled', { ...told, direction, said })
  }
}

function isAgreed(id, edits) {
  return agreed.test(id) || (id.endsWith('property-removed') && edits.some((edit) => removing.has(edit)))
}

function isContained(direction, from, to) {
  if (/"default"|discriminator/.test(JSON.stringify([from, to]))) return false
  const [sender, receiver] = asSent(direction, asValue(from), asValue(to))
  return contains(alone(sender), alone(receiver), { dialect: '2020-12' }).verdict === 'contained'
}

/** A schema as that of a property, whose direction marks at the root have an effect. */
function asValue({ schema, shared }) {
  return { schema: { properties: { value: schema }, required: ['value'] }, shared }
}

function without({ schema, shared }) {
  return { schema, shared }
}

function report(kind, fault) {
  tally[kind] += 1
  console.log(JSON.stringify({ kind, ...fault }))
}
