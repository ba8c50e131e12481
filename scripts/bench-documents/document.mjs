// Child process of run.mjs: reads the documents that it receives, one by one, and sends an `Answer` for each.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { examine } from '../../generator/dist/cli/shared/examine.js'
import { emit } from '../../generator/dist/emit/emit.js'
import { buildModel } from '../../generator/dist/model/build/build.js'
import { pageNames } from '../../generator/dist/reference/address.js'
import { trialsOf } from './parity.mjs'

/**
 * `faults` are the reasons for refusing a document; `broken` says why its operations could not be called.
 * @typedef {{ faults: { code: string, text: string }[], trials?: import('./parity.mjs').Trial[], broken?:
 * string }} Answer
 * @typedef {{ file: string, out?: string, reference: boolean, parity: boolean }} Task
 */

process.on('message', async (/** @type {Task} */ task) => {
  process.send?.(
    await answerTo(task).catch((error) => ({
      faults: [{ code: 'crash', text: String(error?.stack).slice(0, 300) }],
    })),
  )
})

/** @param {Task} task @returns {Promise<Answer>} */
async function answerTo({ file, out, reference, parity }) {
  const examined = await examine(basename(file), dirname(file), { buildModel })
  const { model, diagnostics, files: inputs } = examined
  if (model === undefined)
    return {
      faults: diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ code, message, at }) => ({ code, text: `${at?.line}: ${message}` })),
    }
  if (out === undefined) return { faults: [] }
  const versions = [{ version: model.version, pages: pageNames(model) }]
  const tools = reference ? { reference: { versions, module: '@example/api' } } : {}
  const files = await emit(model, inputs, basename(file), tools)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), text)
  }
  if (!parity) return { faults: [] }
  try {
    return { faults: [], trials: await trialsOf(model, files) }
  } catch (error) {
    return { faults: [], broken: String(error) }
  }
}
