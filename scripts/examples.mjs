// Validates every example of a document with the validators generated from it:
//   node scripts/examples.mjs DOCUMENT…
// Prints how many pass, and each that fails with its location. Exit code 0: all pass.
import './help.mjs'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { childPointer, follow, lookup, member, members } from '../generator/dist/document/cursor.js'
import { loadDocument } from '../generator/dist/load/load.js'
import { buildModel } from '../generator/dist/model/build/build.js'
import { mediaTypesOf } from '../generator/dist/model/content/content.js'
import { emitValidators } from '../generator/dist/validators/validators.js'
import { mapBinaries } from '../runtime/dist/contract/binaries.js'

/**
 * @typedef {import('../generator/dist/document/document.js').Document} Document
 * @typedef {import('../generator/dist/document/document.js').Json} Json
 * @typedef {import('../generator/dist/document/cursor.js').Cursor} Cursor
 * @typedef {import('../generator/dist/model/model.js').Model} Model
 * @typedef {import('../generator/dist/model/model.js').Operation} Operation
 * @typedef {import('../generator/dist/schema/schema.js').Schema} Schema
 * @typedef {import('../runtime/dist/index.js').Validator} Validator
 * @typedef {{ instancePath: string, keyword: string, message?: string, params: Readonly<Record<string, unknown>> }} Fault
 * @typedef {{ kind: string, pointer: string, validate: Validator | undefined, value: unknown, concerns: (fault: Fault) => boolean }} Trial
 */

const root = fileURLToPath(new URL('..', import.meta.url))
let failures = 0
for (const file of process.argv.slice(2)) failures += await run(file)
process.exitCode = failures === 0 ? 0 : 1

/** @param {string} file */
async function run(file) {
  const { document, diagnostics } = loadDocument(resolve(file))
  const built = document && buildModel(document)
  if (document === undefined || built?.model === undefined) {
    console.error(`${file} does not generate:`, [...diagnostics, ...(built?.diagnostics ?? [])][0]?.message)
    return 1
  }
  const shown = schemasWithExamples(built.model)
  const model = {
    ...built.model,
    operations: [...built.model.operations, ...shown.map(({ operation }) => operation)],
  }
  const validators = await load(emitValidators(model))
  /** @type {Trial[]} */
  const trials = [
    ...built.model.operations.flatMap((operation) => callTrials(document, operation, validators)),
    ...shown.flatMap(({ operation, values }) =>
      values.map(([pointer, value]) => ({
        kind: 'schema',
        pointer,
        validate: validators[operation.name]?.result,
        value,
        concerns: () => true,
      })),
    ),
  ]
  return report(file, document, trials)
}

/**
 * @param {string} source
 * @returns {Promise<Record<string, { params: Validator, result: Validator }>>}
 */
async function load(source) {
  const folder = mkdtempSync(join(tmpdir(), 'duet-examples-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'validators.js'), source)
    return (await import(pathToFileURL(join(folder, 'validators.js')).href)).validators
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Examples of parameters, request bodies and successes of one operation.
 *
 * @param {Document} document
 * @param {Operation} operation
 * @param {Record<string, { params: Validator, result: Validator }>} validators
 * @returns {Trial[]}
 */
function callTrials(document, operation, validators) {
  const at = lookup(document, operation.source.pointer)
  const validate = validators[operation.name]
  if (at === undefined || validate === undefined) return []
  return [
    ...parameterTrials(document, operation, at, validate.params),
    ...bodyTrials(document, operation, at, validate.params),
    ...resultTrials(document, operation, at, validate.result),
  ]
}

/**
 * @param {Document} document
 * @param {Operation} operation
 * @param {Cursor} at
 * @param {Validator} validate
 * @returns {Trial[]}
 */
function parameterTrials(document, operation, at, validate) {
  const item = lookup(document, at.pointer.slice(0, at.pointer.lastIndexOf('/')))
  const lists = [item && member(item, 'parameters'), member(at, 'parameters')]
  return lists.flatMap((list) => {
    const parameters = Array.isArray(list?.value) ? list.value : []
    return parameters.flatMap((value, index) => {
      const pointer = childPointer(list?.pointer ?? '', index)
      const parameter = follow(document, { value, pointer })
      const name = field(parameter?.value, 'name')
      const binding = operation.rest.parameters.find(
        (each) => each.name === name && each.in === field(parameter?.value, 'in'),
      )
      if (parameter === undefined || binding === undefined) return []
      const { param } = binding
      const prefix = `/${param.replaceAll('~', '~0').replaceAll('/', '~1')}`
      return examplesAt(document, parameter).map(([place, example]) => ({
        kind: 'parameter',
        pointer: place,
        validate,
        value: { [param]: example },
        concerns: (fault) => fault.instancePath === prefix || fault.instancePath.startsWith(`${prefix}/`),
      }))
    })
  })
}

/**
 * @param {Document} document
 * @param {Operation} operation
 * @param {Cursor} at
 * @param {Validator} validate
 * @returns {Trial[]}
 */
function bodyTrials(document, operation, at, validate) {
  const declared = member(at, 'requestBody')
  const body = declared && follow(document, declared)
  const binding = operation.rest.body
  if (body === undefined || binding === undefined) return []
  const elsewhere = new Set(operation.rest.parameters.map(({ param }) => param))
  return mediaTypesOf(document, body).flatMap((type) => {
    const accepted = binding.media?.some((media) => media.type === type.type) ?? type.kind === 'json'
    if (!accepted) return []
    return examplesAt(document, type.cursor).flatMap(([pointer, example]) => {
      const value =
        binding.kind === 'param' ? { [binding.param ?? 'body']: example } : renamed(example, binding.rename)
      return [
        {
          kind: 'request',
          pointer,
          validate,
          value:
            operation.binaries === undefined
              ? value
              : mapBinaries(value, operation.binaries, () => new Blob()),
          concerns: (/** @type {Fault} */ { keyword, params }) =>
            !(keyword === 'required' && elsewhere.has(String(params.missingProperty))),
        },
      ]
    })
  })
}

/**
 * @param {Document} document
 * @param {Operation} operation
 * @param {Cursor} at
 * @param {Validator} validate
 * @returns {Trial[]}
 */
function resultTrials(document, operation, at, validate) {
  const statuses = operation.rest.statuses ?? [operation.rest.status]
  return members(member(at, 'responses')).flatMap((entry) => {
    const isSuccess = entry.key === 'default' || statuses.includes(Number(entry.key.replace(/X/gi, '0')))
    const response = isSuccess ? follow(document, entry) : undefined
    if (response === undefined) return []
    return mediaTypesOf(document, response)
      .filter(({ kind }) => kind === 'json')
      .flatMap((type) => examplesAt(document, type.cursor))
      .map(([pointer, value]) => ({ kind: 'response', pointer, validate, value, concerns: () => true }))
  })
}

/**
 * @param {Document} document
 * @param {Cursor} holder
 * @returns {[pointer: string, value: Json][]}
 */
function examplesAt(document, holder) {
  const single = member(holder, 'example')
  const named = members(member(holder, 'examples')).flatMap((entry) => {
    const example = follow(document, entry)
    const value = example && (member(example, 'value') ?? member(example, 'dataValue'))
    return value === undefined ? [] : [/** @type {[string, Json]} */ ([value.pointer, value.value])]
  })
  return [
    ...(single === undefined ? [] : [/** @type {[string, Json]} */ ([single.pointer, single.value])]),
    ...named,
  ]
}

/**
 * Every component schema with examples, as the result of an artificial operation.
 *
 * @param {Model} model
 */
function schemasWithExamples(model) {
  /** @type {{ operation: Operation, values: readonly [pointer: string, value: Json][] }[]} */
  const found = []
  const [pattern] = model.operations
  if (pattern === undefined) return found
  /** @type {(schema: unknown, pointer: string) => void} */
  const visit = (schema, pointer) => {
    if (Array.isArray(schema))
      for (const [index, item] of schema.entries()) visit(item, `${pointer}/${index}`)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
    const shown = /** @type {Record<string, Json>} */ (schema)
    const listed = Array.isArray(shown.examples) ? shown.examples : []
    /** @type {[string, Json][]} */
    const values = [
      ...listed.map(
        (value, index) => /** @type {[string, Json]} */ ([`${pointer}/examples/${index}`, value]),
      ),
      ...(Object.hasOwn(shown, 'example')
        ? [/** @type {[string, Json]} */ ([`${pointer}/example`, shown.example ?? null])]
        : []),
    ]
    if (values.length > 0 && !isPropertyMap(pointer)) {
      const operation = {
        ...pattern,
        name: `examples.n${found.length}`,
        params: {},
        result: /** @type {Schema} */ (shown),
      }
      found.push({ operation, values })
    }
    for (const [key, value] of Object.entries(shown)) {
      if (!isPropertyMap(pointer) && ['example', 'examples', 'default', 'enum', 'const'].includes(key))
        continue
      visit(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
  for (const [name, schema] of model.schemas) {
    if (!name.endsWith('Upload'))
      visit(schema, model.sources.get(name)?.pointer ?? `#/components/schemas/${name}`)
  }
  return found
}

/** A property may be called `example`. @param {string} pointer */
function isPropertyMap(pointer) {
  return (
    /\/(?:properties|patternProperties|dependentSchemas)$/.test(pointer) &&
    !/\/properties\/properties$/.test(pointer)
  )
}

/**
 * @param {Json} value
 * @param {Readonly<Record<string, string>> | undefined} rename
 */
function renamed(value, rename = {}) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [Object.hasOwn(rename, name) ? rename[name] : name, item]),
  )
}

/** @param {Json | undefined} value @param {string} name */
function field(value, name) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? /** @type {Record<string, Json>} */ (value)[name]
    : undefined
}

/**
 * @param {string} file
 * @param {Document} document
 * @param {readonly Trial[]} trials
 */
function report(file, document, trials) {
  /** @type {Map<string, { passed: number, failed: number }>} */
  const counts = new Map()
  const lines = new Set()
  for (const { kind, pointer, validate, value, concerns } of trials) {
    const count = counts.get(kind) ?? { passed: 0, failed: 0 }
    counts.set(kind, count)
    const valid = validate === undefined || validate(structuredClone(value))
    const faults = valid ? [] : (validate?.errors ?? []).filter(concerns)
    if (faults.length === 0) count.passed += 1
    else {
      count.failed += 1
      const { file: name, line, column } = document.locate(pointer)
      const [first] = faults
      lines.add(
        `${name}:${line}:${column} ${kind} ${pointer}\n  ${first?.instancePath || '/'} ${first?.message} ${JSON.stringify(first?.params)}`,
      )
    }
  }
  for (const line of lines) console.log(line)
  const told = [...counts].map(([kind, { passed, failed }]) => `${kind} ${passed} pass, ${failed} fail`)
  console.log(`${file}: ${told.length === 0 ? 'no examples' : told.join('; ')}`)
  return [...counts.values()].reduce((sum, { failed }) => sum + failed, 0)
}
