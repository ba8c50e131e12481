import { expect, it } from 'vitest'
import type { Json } from '../../document/document.js'
import { type OptionalBody, requiredTogether } from './optional-body.js'

const origin = { file: 'openapi.yaml', line: 1, column: 1 }

it('leads from each of many fields to all that are required, a parameter and an undeclared one among them', () => {
  const names = Array.from({ length: 200 }, (_, index) => `f${index}`)
  const required = [...names.slice(0, 150), 'undeclared']
  const body: OptionalBody = {
    schemas: new Map(),
    object: {
      properties: new Map(names.map((name) => [name, true])),
      required: new Set(required),
      additional: undefined,
      written: [],
      unevaluated: undefined,
      patterns: new Map(),
      constraints: [],
    },
    renamed: new Map(names.map((name) => [name, name])),
    parameters: [{ param: 'f7', schema: true, required: false, pointer: '', at: () => origin }],
  }
  const dependent = requiredTogether(body)
  expect(Object.keys(dependent)).not.toContain('f7')
  for (const name of ['f0', 'f100', 'f149', 'f199']) {
    const found = reached(dependent, name)
    expect(required.filter((other) => !found.has(other))).toEqual([])
  }
})

function reached(dependent: { readonly [name: string]: Json }, start: string): Set<string> {
  const found = new Set([start])
  for (const name of found) {
    const others = dependent[name]
    if (Array.isArray(others)) for (const other of others) found.add(String(other))
  }
  return found
}
