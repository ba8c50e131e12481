import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Contract } from 'duet-runtime'
import { describe, expect, it } from 'vitest'
import { emit } from '../emit/emit.js'
import type { Json, JsonObject } from '../load/document.js'
import { isObject } from '../load/json.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build.js'
import type { Model, Operation } from '../model/model.js'
import { contractOf } from './contract.js'
import { Sampler } from './sampler.js'
import { sentRequest } from './sent-request.js'
import { startMock } from './server.js'
import { validSample } from './valid-sample.js'

// Real documents stand in a folder that an environment variable names; without it there is nothing to try.
const folder = process.env.DUET_DOCUMENTS
const documents =
  folder === undefined ? [] : readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name))

describe.skipIf(documents.length === 0)('a mock of a real document', () => {
  it.each(documents)('%s answers every operation over both protocols', { timeout: 600_000 }, async (name) => {
    const cwd = resolve(folder ?? '')
    const { document, files } = loadDocument(name, { cwd })
    const model = document && buildModel(document).model
    if (model === undefined) throw new Error(`${name} has no model`)
    const contract = await contractOf(await emit(model, files, name))
    const mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
    const unanswered: string[] = []
    const refused: string[] = []
    const counts = { rest: 0, rpc: 0, unsent: 0 }
    try {
      for (const operation of model.operations) {
        const params = paramsOf(model, contract, operation)
        const rpc = await rpcFailure(mock.url, operation, params)
        if (rpc === undefined) counts.rpc += 1
        else unanswered.push(`${operation.name}: ${rpc}`)
        const rest = await restFailure(mock.url, operation, params)
        if (rest === 'unsent') counts.unsent += 1
        else if (rest === undefined) counts.rest += 1
        else refused.push(`${operation.name}: ${rest}`)
      }
    } finally {
      await mock.close()
    }
    console.log(
      [`${name}: ${model.operations.length} operations, ${JSON.stringify(counts)}`, ...refused].join('\n'),
    )
    expect(unanswered).toEqual([])
    // Forms and query strings have no text for an empty list, nor for a map beside other params.
    expect(refused.length).toBeLessThan(model.operations.length / 100)
  })
})

/** Valid params; where files are among them, those as base64. */
function paramsOf(model: Model, contract: Contract, operation: Operation): JsonObject {
  const sampler = new Sampler(model.schemas, 'params')
  const validator = contract.validators[operation.name]?.params
  if (validator === undefined) throw new Error(`There is no validator for ${operation.name}`)
  const sample =
    operation.binaries === undefined
      ? validSample(sampler, operation.params, validator, '1')
      : { value: sampler.sample(operation.params, { seed: '1', refused: new Map(), lean: true }) }
  if ('reason' in sample) throw new Error(`${operation.name} has no valid params: ${sample.reason}`)
  return isObject(sample.value) ? sample.value : {}
}

const credentials = { authorization: 'Bearer any' }

async function rpcFailure(url: string, { rpc }: Operation, params: JsonObject): Promise<string | undefined> {
  const response = await fetch(`${url}/`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: rpc, params }),
  })
  const { error }: { error?: { data?: Json } } = await response.json()
  return error === undefined ? undefined : JSON.stringify(error.data ?? error)
}

async function restFailure(
  url: string,
  operation: Operation,
  params: JsonObject,
): Promise<string | undefined> {
  const request = await sentRequest(operation, params).catch(() => undefined)
  if (request === undefined || (request.body === undefined && operation.binaries !== undefined))
    return 'unsent'
  const { target, headers, ...init } = request
  const response = await fetch(`${url}${target}`, {
    ...init,
    redirect: 'manual',
    headers: { ...headers, ...credentials },
  })
  const text = await response.text()
  return response.status < 400 ? undefined : `${response.status} ${text.slice(0, 300)}`
}
