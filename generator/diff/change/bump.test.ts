import { describe, expect, it } from 'vitest'
import { bumpOf } from './bump.js'
import type { Level } from './level.js'

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
    ['1.1.0', '1.2.0-rc.1', ['breaking'], { required: 'major', declared: 'minor', ok: false }],
    ['2.0.0-rc.1', '2.0.0-rc.2', ['breaking'], { required: 'major', declared: 'patch', ok: true }],
    ['2.0.0-rc.1', '2.0.0', ['breaking'], { required: 'major', declared: 'major', ok: true }],
    ['0.9.0', '1.0.0', ['breaking'], { required: 'minor', declared: 'major', ok: true }],
    ['1.0.0', '1.0.1', ['compatible'], { required: 'minor', declared: 'patch', ok: false }],
    ['1.0.0', '1.0.0', ['info'], { required: 'patch', declared: 'none', ok: false }],
    ['2.0.0', '1.0.0', ['breaking'], { required: 'major', declared: 'none', ok: false }],
    ['1.0.0', '1.0.0+build.2', ['compatible'], { required: 'minor', declared: 'none', ok: false }],
    ['v1', 'v2', ['breaking'], { required: 'major', declared: 'major', ok: true }],
    ['1.0', '1.1', ['breaking'], { required: 'major', declared: 'minor', ok: false }],
    ['2020-08-27', '2024-06', ['breaking'], { required: 'major', declared: 'none', ok: true }],
    ['2024.6.1', '2024.7.0', ['breaking'], { required: 'major', declared: 'none', ok: true }],
    ['2024', '2025', ['breaking'], { required: 'major', declared: 'none', ok: true }],
    ['', 'next', ['breaking'], { required: 'major', declared: 'none', ok: true }],
    ['1.0.0', 'next', ['compatible'], { required: 'minor', declared: 'none', ok: true }],
  ])('from %s to %s with %j is %j', (old, fresh, levels, expected) => {
    expect(
      bumpOf(
        old,
        fresh,
        levels.map((level) => ({ level })),
      ),
    ).toEqual(expected)
  })

  it('ignores waived changes', () => {
    const waiver = { owner: 'Ada', reason: 'No caller', expires: '2999-12-31' }
    const changes = [
      { level: 'breaking', waiver },
      { level: 'info', waiver: null },
    ] as const
    expect(bumpOf('1.0.0', '1.0.1', changes)).toEqual({ required: 'patch', declared: 'patch', ok: true })
  })
})
