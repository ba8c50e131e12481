import { expect, it } from 'vitest'
import type { ParameterBinding } from '../../contract/operation.js'
import { readHeader } from '../style/parameter.js'

const language = (preferences: readonly string[]): ParameterBinding => ({
  ...{ name: 'Accept-Language', param: 'language', in: 'header', required: false, style: 'simple' },
  ...{ explode: false, coerce: { types: ['string'] }, preferences },
})

it.each([
  ['*', ['en', 'de'], undefined],
  ['de', ['en', 'de'], 'de'],
  ['en-US,en;q=0.9,de;q=0.8', ['de', 'en'], 'en'],
  ['fr-FR, DE;q=0.5', ['de', 'en'], 'de'],
  ['fr', ['de', 'en'], undefined],
  ['en-US,en;q=0.9', [], 'en-US,en;q=0.9'],
  ['*', [], undefined],
])('the first preference in the schema counts: %s of %j', (text, known, value) => {
  expect(readHeader(language(known), text, () => undefined, [])).toBe(value)
})
