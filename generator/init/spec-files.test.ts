import { expect, it } from 'vitest'
import { placeSpec } from './spec-files.js'

it('copies a document of one file, whatever its name', () => {
  expect(placeSpec([{ path: '../api/shop.json', text: '{}' }], '1.0.0')).toEqual({
    entry: 'openapi.json',
    files: new Map([['spec/1.0.0/openapi.json', '{}']]),
  })
})

it('copies the files that it refers to, with their relative paths', () => {
  const files = [
    { path: 'docs/openapi.yaml', text: 'a' },
    { path: 'docs/parts/client.yaml', text: 'b' },
    { path: 'https://example.org/shared.yaml', text: 'c' },
  ]
  expect(placeSpec(files, '2.0.0')).toEqual({
    entry: 'openapi.yaml',
    files: new Map([
      ['spec/2.0.0/openapi.yaml', 'a'],
      ['spec/2.0.0/parts/client.yaml', 'b'],
    ]),
  })
})

it('does not copy remote files', () => {
  const files = [
    { path: 'api.yaml', text: 'a' },
    { path: 'https://example.org/shared.yaml', text: 'b' },
  ]
  expect(placeSpec(files, '1.0.0')).toEqual({
    entry: 'openapi.yaml',
    files: new Map([['spec/1.0.0/openapi.yaml', 'a']]),
  })
})

it('keeps the name of a document of several files, which may refer to it', () => {
  const files = [
    { path: 'docs/root.yml', text: 'a' },
    { path: 'docs/client.yaml', text: 'b' },
  ]
  expect(placeSpec(files, '1.0.0')).toEqual({
    entry: 'root.yml',
    files: new Map([
      ['spec/1.0.0/root.yml', 'a'],
      ['spec/1.0.0/client.yaml', 'b'],
    ]),
  })
})

it('explains why it cannot copy a document', () => {
  const shared = { path: 'shared.yaml', text: '' }
  expect(placeSpec([{ path: 'docs/openapi.yaml', text: '' }, shared], '1.0.0')).toBe(
    'shared.yaml is outside its folder. Move it there',
  )
})
