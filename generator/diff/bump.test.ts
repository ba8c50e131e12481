import { describe, expect, it } from 'vitest'
import { bumpOf } from './bump.js'
import type { Level } from './change.js'

describe('the version bump', () => {
  it.each<[string, string, Level[], object]>([
    ['1.0.0', '2.0.0', ['breaking'], { required: 'major', declared: 'major', ok: true }],
    ['1.0.0', '1.1.0', ['breaking'], { required: 'major', declared: 'minor', ok: false }],
    ['1.0.0', '1.1.0', ['compatible', 'info'], { required: 'minor', declared: 'minor', ok: true }],
    ['1.0.0', '1.0.1', ['info'], { required: 'patch', declared: 'patch', ok: true }],
    ['1.0.0', '1.0.0', [], { required: 'none', declared: 'none', ok: true }],
    ['0.1.0', '0.2.0', ['breaking'], { required: 'minor', declared: 'minor', ok: true }],
    ['0.1.0', '0.1.1', ['breaking'], { required: 'minor', declared: 'patch', ok: false }],
    ['1.1.0', '2.0.0-rc.1', ['breaking'], { required: 'major', declared: 'major', ok: true }],
    ['2024-01-01', '2024-02-01', ['compatible'], { required: 'minor', declared: 'none', ok: false }],
  ])('from %s to %s with %j is %j', (old, fresh, levels, expected) => {
    expect(
      bumpOf(
        old,
        fresh,
        levels.map((level) => ({ level })),
      ),
    ).toEqual(expected)
  })
})
