import { expect, it, vi } from 'vitest'
import { modelOf } from '../../test/fixtures/samples.js'
import { hasTools } from './has-tools.js'

it('reads the operations of a version once, however many ask', () => {
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    paths: { '/a': { get: { operationId: 'a.get', responses: { 204: { description: 'Done' } } } } },
  })
  const read = vi.spyOn(model.operations as unknown as unknown[], 'some')
  expect([hasTools(model), hasTools(model), hasTools({ ...model })]).toEqual([false, false, false])
  expect(read).toHaveBeenCalledTimes(2)
})
