import { expect, it } from 'vitest'
import { placeSpec } from './spec-files.js'

const place = (files: Record<string, string>, version = '1.0.0') => {
  const read = Object.entries(files).map(([path, text]) => ({ path, text }))
  const { entry, files: placed } = placeSpec(read, version, '/ada/shop')
  return { entry, files: Object.fromEntries(placed) }
}

it('copies a document of one file, whatever its name', () => {
  expect(place({ '../api/shop.json': '{}' })).toEqual({
    entry: 'openapi.json',
    files: { 'spec/1.0.0/openapi.json': '{}' },
  })
})

it('copies the files that it refers to, with their relative paths', () => {
  const files = {
    'docs/openapi.yaml': 'a',
    'docs/parts/client.yaml': 'b',
    'https://example.org/shared.yaml': 'c',
  }
  expect(place(files, '2.0.0')).toEqual({
    entry: 'openapi.yaml',
    files: { 'spec/2.0.0/openapi.yaml': 'a', 'spec/2.0.0/parts/client.yaml': 'b' },
  })
})

it('does not copy remote files', () => {
  expect(place({ 'api.yaml': 'a', 'https://example.org/shared.yaml': 'b' })).toEqual({
    entry: 'openapi.yaml',
    files: { 'spec/1.0.0/openapi.yaml': 'a' },
  })
})

it('keeps the name of a document of several files, which may refer to it', () => {
  expect(place({ 'docs/root.yml': 'a', 'docs/client.yaml': 'b' })).toEqual({
    entry: 'root.yml',
    files: { 'spec/1.0.0/root.yml': 'a', 'spec/1.0.0/client.yaml': 'b' },
  })
})

it('copies the folder that contains all of them if they are in different folders', () => {
  const files = {
    '../api/v1/openapi.yaml': 'a',
    '../api/v1/paths/items.yaml': 'b',
    '../common/item.yaml': 'c',
  }
  expect(place(files)).toEqual({
    entry: 'api/v1/openapi.yaml',
    files: {
      'spec/1.0.0/api/v1/openapi.yaml': 'a',
      'spec/1.0.0/api/v1/paths/items.yaml': 'b',
      'spec/1.0.0/common/item.yaml': 'c',
    },
  })
  expect(place({ '../../api.yaml': 'a', '../..parts/item.yaml': 'b' })).toEqual({
    entry: 'api.yaml',
    files: { 'spec/1.0.0/api.yaml': 'a', 'spec/1.0.0/ada/..parts/item.yaml': 'b' },
  })
})
