// Responses of the new version that callers of the old one do not know.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { asTexts } from '../../generator/dist/diff/texts/as-texts.js'
import { Sampler } from '../../generator/dist/samples/sampler.js'
import { validSample } from '../../generator/dist/samples/valid-sample.js'

/** What callers of the old version may receive but do not know: over which protocols, and why. */
export async function unknownAnswers(old, fresh, [before, after], random, count) {
  const seeds = Array.from({ length: count }, () => random.below(1e6))
  const found = []
  const declared = responsesOf(old, before)
  // With several success responses, a handler chooses the one that its result fits.
  const isAlone = Object.keys(responsesOf(fresh, after)).filter((status) => /^2/.test(status)).length < 2
  // If no success response is declared, callers know of none. A `default` with problem details is none.
  const isSuccess = ([status, { content = {} }]) =>
    /^2/.test(status) || (status === 'default' && content['application/problem+json'] === undefined)
  if (!Object.entries(declared).some(isSuccess)) return found
  for (const result of fresh.samples(after, 'result', seeds)) {
    const isKnown = old.knows(before, result)
    if (!isKnown) found.push({ protocols: ['jsonrpc'], why: `the result ${JSON.stringify(result)}` })
    const [{ rest: was }, { rest, violations }] = [
      await old.service.deliver(before, result),
      await fresh.service.deliver(after, result),
    ]
    if (violations !== undefined || (isKnown && was.status === rest.status && typeOf(was) === typeOf(rest)))
      continue
    const entry = entryFor(declared, rest.status)
    const type = typeOf(rest)
    const tell = (why) => found.push({ protocols: ['rest'], why })
    if (entry === undefined) tell(`status ${rest.status}`)
    // Callers of a response without content read none.
    else if (Object.keys(entry.content ?? {}).length === 0) continue
    // A text is how this shows a stream, which has a media type of its own.
    else if (typeof result === 'string' && streams(after)) continue
    // A `default` that can only be a failure is no result of JSON-RPC, but over REST it describes every status.
    else if (!isKnown && describes(old, entry, type, result)) continue
    // Neither does the edit change what an entry says that the new version alone answers with.
    else if (!isKnown && isSame(entry, entryFor(responsesOf(fresh, after), rest.status), type)) continue
    // By convention, callers of one media type do not receive another.
    else if (!isKnown && isAlone && (type === undefined || takesType(entry, type)))
      tell(`the result ${JSON.stringify(result)}`)
    else if (!isKnown) continue
    // Handlers return files and streams apart from texts. A value in JSON does not show which.
    else if (/pdf|event-stream/.test(`${typeOf(was)} ${type}`)) continue
    // The JSON of a range comes with a status that may have an entry without JSON, in both versions.
    else if (was.status === rest.status && typeOf(was) !== undefined && !takesType(entry, typeOf(was)))
      continue
    else if (type !== undefined && rest.body !== '' && !takesType(entry, type))
      tell(`${type} of status ${rest.status}`)
  }
  const { errors = {} } = fresh.validators.of(after)
  const parts = [
    // Headers of several successes are one schema, which says nothing of each.
    ...(isAlone ? [[before.headers, after.headers, 'headers']] : []),
    ...after.failures.map(({ response, type, schema }) => [
      failureFor(before, response, type),
      schema,
      `${response} ${type}`,
      errors[response],
    ]),
  ]
  for (const [was, is, what, validator = () => true] of parts) {
    if (was === undefined || is === undefined) continue
    const [takes, described] = [compiled(old, withoutWriteOnly(was)), compiled(fresh, is)]
    // AJV alone ignores what a discriminator requires.
    const gives = (value) => {
      const isValid = described(value) && validator(structuredClone(value))
      gives.errors = described.errors
      return isValid
    }
    for (const seed of seeds) {
      const sample = validSample(new Sampler(fresh.model.schemas, 'result'), is, gives, String(seed))
      if (!('value' in sample)) continue
      const told = Object.keys(entryFor(declared, after.rest.status)?.headers ?? {})
      const value = what === 'headers' ? known(sample.value, told) : sample.value
      if (value === undefined) continue
      const readings = what === 'headers' ? [fitting(value, was, old)] : [value, asTexts(value), typed(value)]
      if (!readings.some((one) => takes(one)))
        found.push({ protocols: ['rest'], why: `${what} ${JSON.stringify(value)}` })
    }
  }
  return found
}

/** A schema of answers that says nothing about write-only members, which callers never received. */
export function withoutWriteOnly(schema) {
  if (Array.isArray(schema)) return schema.map(withoutWriteOnly)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, required } = schema
  const isHidden = (name) => properties?.[name]?.writeOnly === true
  const parts = Object.entries(schema).map(([key, value]) => [key, withoutWriteOnly(value)])
  const kept = Object.fromEntries(parts)
  for (const name of Object.keys(properties ?? {}).filter(isHidden)) kept.properties[name] = true
  if (Array.isArray(required)) kept.required = required.filter((name) => !isHidden(name))
  return kept
}

function streams({ rest: { answers = [] } }) {
  return answers.some(({ kind }) => kind === 'events' || kind === 'lines')
}

/** The headers that callers know of a status. Undefined if a value does not fit into a header. */
function known(headers, names) {
  const isFlat = (value) => [value].flat().every((one) => one !== null && typeof one !== 'object')
  const entries = Object.entries(headers).filter(([name]) => names.includes(name))
  return entries.every(([, value]) => isFlat(value)) ? Object.fromEntries(entries) : undefined
}

/** Each header as the value that callers read by its schema, if there is one: a header says no type. */
function fitting(headers, { properties }, side) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const takes = compiled(side, properties[name] ?? true)
      return [name, readings(value).find((one) => takes(one)) ?? value]
    }),
  )
}

/** The values that a header's text may represent. A list is one text with commas. */
function readings(value) {
  if (!Array.isArray(value)) return [value, String(value), typed(String(value))]
  const lists = value
    .slice(0, 4)
    .reduce((found, item) => found.flatMap((list) => readings(item).map((one) => [...list, one])), [[]])
  return [...lists.map((list) => [...list, ...value.slice(4)]), ...readings(String(value))]
}

/** Texts as the numbers and booleans that they may represent: a header has no type. */
export function typed(value) {
  if (typeof value === 'string') return /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? JSON.parse(value) : value
  if (Array.isArray(value)) return value.map(typed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typed(one)]))
}

function typeOf({ headers }) {
  return headers['content-type']?.split(';')[0]
}

function responsesOf(side, { source }) {
  return operationOf(side, source).responses
}

/** An operation as the document has it. */
export function operationOf({ root }, { pointer }) {
  const keys = pointer
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce((node, key) => node[key], root)
}

function entryFor(responses, status) {
  const digits = String(status)
  return responses[digits] ?? responses[`${digits[0]}XX`] ?? responses.default
}

function takesType({ content = {} }, type) {
  // By convention, a structured suffix (+json) means JSON.
  const ranges = [type, type.replace(/[^/]*\+/, ''), type.replace(/\/.*/, '/*'), '*/*']
  return Object.keys(content).some((each) => ranges.includes(each.split(';')[0]))
}

/** Whether an entry has a media type whose schema takes a value. */
function describes(side, { content = {} }, type, value) {
  const media = content[type] ?? content[type?.replace(/\/.*/, '/*')] ?? content['*/*']
  return media !== undefined && compiled(side, media.schema ?? true)(value)
}

/** Whether two entries say the same of a media type, whatever components say. */
function isSame({ content: was = {} }, { content: is = {} } = {}, type) {
  const [old, fresh] = [was, is].map((content) => JSON.stringify(content[type]))
  return old !== undefined && old === fresh && !old.includes('"$ref"')
}

function failureFor({ failures }, response, type) {
  const entries = [response, `${response[0]}XX`, 'default'].map((each) =>
    failures.filter((one) => one.response === each),
  )
  return entries.find((each) => each.length > 0)?.find((one) => one.type === type)?.schema
}

/** AJV's validator of a schema of a version. */
export function compiled({ model }, schema) {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    meta: false,
    validateSchema: false,
  })
  const whole = typeof schema === 'object' ? schema : schema ? {} : { not: {} }
  const components = { schemas: Object.fromEntries(model.schemas) }
  return ajv.compile({ components, ...whole })
}
