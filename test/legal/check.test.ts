import { expect, it } from 'vitest'
import { document, duet, projectForEachTest, tree, write } from '../duet-project.js'

projectForEachTest()

// Another generator's check looked at the first of two documents alone.
it.each(['1.0.0', '2.0.0'])('--check fails when only version %s of two is stale', async (version) => {
  expect(await duet('generate')).toMatchObject({ code: 0 })
  expect(await duet('generate', '--check')).toMatchObject({ code: 0 })
  const before = tree('generated')
  write(`spec/${version}/openapi.yaml`, document(version, 'Another shop'))
  const { code, out } = await duet('generate', '--check')
  expect(code).toBe(1)
  expect(out).toContain(`generated/${version}/api.ts`)
  expect(tree('generated')).toEqual(before)
})
