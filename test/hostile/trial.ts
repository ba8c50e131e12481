import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Examined, examine } from '../../generator/cli/shared/examine.js'
import { emit } from '../../generator/emit/emit.js'
import { buildModel } from '../../generator/model/build/build.js'
import { emptyDocument, type Tree } from './document.js'
import { payloads } from './payloads.js'
import { places } from './places.js'

/** A text in a position, by their names in the tables. */
export interface Combination {
  readonly payload: string
  readonly place: string
}

/** Every text in every position, or a part of them that includes each text and each position. */
export function combinations(part: {
  readonly every: number
  readonly whole: readonly string[]
}): Combination[] {
  return Object.keys(payloads).flatMap((payload, row) =>
    Object.keys(places)
      .filter((_, column) => part.whole.includes(payload) || (row + column) % part.every === 0)
      .map((place) => ({ payload, place })),
  )
}

/** A document with one text in several places. */
export function documentOf(payload: string, chosen: readonly string[]): Tree {
  const document = emptyDocument()
  for (const place of chosen) places[place]?.(document, payloads[payload] ?? '')
  return document
}

/** Reads a document as every command does. */
export async function read(document: Tree, folder: string): Promise<Examined> {
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  return examine('openapi.json', folder, { buildModel })
}

/** Names of positions that one document can fill together. Several lists if positions exclude each other. */
export async function batches(
  payload: string,
  accepted: readonly string[],
  folder: string,
): Promise<(readonly string[])[]> {
  if (accepted.length === 0) return []
  if (accepted.length === 1) return [accepted]
  if ((await read(documentOf(payload, accepted), folder)).model !== undefined) return [accepted]
  const middle = Math.ceil(accepted.length / 2)
  const first = await batches(payload, accepted.slice(0, middle), folder)
  return [...first, ...(await batches(payload, accepted.slice(middle), folder))]
}

/** Every file that a document generates. */
export async function generated({ model, files }: Examined): Promise<Map<string, string>> {
  if (model === undefined) throw new Error('A document with errors generates nothing')
  const versions = [{ version: model.version, pages: ['index.html'] }]
  return emit(model, files, 'openapi.json', { reference: { versions, module: '@shop/api/client' } })
}
