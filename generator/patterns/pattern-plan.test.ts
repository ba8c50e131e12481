import { type PatternData, textCheck } from 'duet-runtime/validation'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { linearForm } from './linear-pattern.js'
import { patternPlan } from './pattern-plan.js'
import { patternSteps } from './pattern-steps.js'

describe('the plan for a pattern', () => {
  it.each([
    ...[
      '^[A-Z]{3}$',
      '^\\d+$',
      'a',
      '^(?:(?!ab).)*$',
      '^[a-z]+(-[a-z]+)*$',
      '^\\d{4}-\\d{2}(-\\d{2})?$',
      '^(a|b)*$',
      '[a-z]{2}\\d?',
    ],
  ])('leaves %s to the JavaScript engine, which needs linear time for it', (source) => {
    expect(patternPlan(source)).toEqual({})
  })

  it.each([
    ...['^(a+)+$', '^(a|a)*$', '^(ab|a|b)*$', '^a*a*$', '(a*)*b', 'a+b', '^(a?){30}a{30}$', '^(.*,){9}$'],
    ...['(\\w+\\s?)+$', '^([a-z]+)*\\b!$', '^(?=.*a)(?!.*b.*c)[^]+$', '^(a|a){40}$', '^(([ab]|a){1,60})$'],
  ])('runs %s as an automaton', (source) => {
    const { data } = patternPlan(source)
    expect(Object.keys(data ?? {})).toEqual(['every'])
  })

  it.each(['^([a-z0-9]+-?)+$/', '^(?:a|ab)+(?:b|c)*$[]'])(
    'looks at what comes to nothing in %s',
    (source) => {
      expect(Object.keys(patternPlan(source).data ?? {})).toEqual(['every'])
    },
  )

  it.each(['^(["\']).*\\1$', '^(a+)+\\1$', '^(?:(?!a+b).)*$', '^(a+)+(b)\\2$'])(
    'counts the steps of %s, which have no automaton',
    (source) => {
      expect(patternPlan(source)).toMatchObject({ data: { flags: 'u' }, givesUp: true })
    },
  )

  it('has an automaton give up that may be at many positions at a time', () => {
    expect(patternPlan('(.*a.{100}c)$').givesUp).toBe(true)
    expect(patternPlan('(.*a.{10}c)$').givesUp).toBeUndefined()
  })

  it('gives the same result again', () => {
    expect(JSON.stringify(patternPlan('^(a+)+$'))).toBe(JSON.stringify(patternPlan('^(a+)+$')))
  })
})

const atom = fc.constantFrom(
  ...['a', 'b', '.', '\\w', '\\d', '\\s', '[ab]', '[^a]', '\\W', '[\\s\\S]', '\u{1f600}', '[a-\u{1f600}]'],
  ...['^', '$', '\\b', '\\B', 'é', '\\u{1f601}', '\\n', '-', '\\p{L}'],
)
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '{0,2}',
  '*?',
  '+?',
  '??',
  '{2,}',
)
const isAssertion = (text: string) => /^(?:\^|\$|\\[bB])$/.test(text)
const { source } = fc.letrec<{ source: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.tuple(atom, quantifier).map(([one, many]) => (isAssertion(one) ? one : one + many)),
    fc.tuple(tie('source'), quantifier).map(([inner, many]) => `(${inner})${many}`),
  ),
  source: fc
    .array(fc.array(tie('piece'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((alternatives) => alternatives.map((pieces) => pieces.join('')).join('|')),
}))
const text = fc
  .array(fc.constantFrom('a', 'b', '1', ' ', '\n', '-', 'é', '\u{1f600}', '\u{1f601}', '\ud83d', '\ude00'), {
    maxLength: 6,
  })
  .map((characters) => characters.join(''))

const checkOf = (source: string, flags: string) => {
  const form = linearForm(source, flags)
  return form === undefined ? undefined : textCheck({ every: [form] })
}

/**
 * V8 also starts a match between the halves of a surrogate pair, where the flag u has no position. Then these
 * may find one.
 */
const isMisread = (expression: string, one: string) =>
  /\\[B12]|\(\?</.test(expression) && /[\u{10000}-\u{10ffff}]/u.test(one)

test('an automaton agrees with the expression', { tags: 'long' }, () => {
  let count = 0
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 1, maxLength: 8 }), (expression, texts) => {
      const check = checkOf(expression, 'u')
      if (check === undefined) return
      count++
      const same = new RegExp(expression, 'u')
      for (const one of texts.filter((each) => !isMisread(expression, each)))
        expect([expression, one, check.test(one)]).toEqual([expression, one, same.test(one)])
    }),
    { numRuns: runs(300, 20_000) },
  )
  expect(count).toBeGreaterThan(100)
})

test('an automaton agrees with the expression without the flag u', () => {
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 1, maxLength: 8 }), (expression, texts) => {
      const loose = `${expression.replaceAll('\\p{L}', 'L').replaceAll('\\u{1f601}', '.')}\\-?`
      const check = checkOf(loose, '')
      if (check === undefined) return
      const same = new RegExp(loose)
      for (const one of texts) expect([loose, one, check.test(one)]).toEqual([loose, one, same.test(one)])
    }),
    { numRuns: runs(150, 5_000) },
  )
})

test('a plan agrees with the expression, including lookaround', { tags: 'long' }, () => {
  const around = fc
    .tuple(fc.constantFrom('^(?=', '^(?!'), source, source, fc.boolean())
    .map(([open, inner, rest, isBehind]) =>
      isBehind ? `(?:${rest})(?<!${inner})$` : `${open}${inner})(?:${rest})`,
    )
  fc.assert(
    fc.property(
      fc.oneof(source, around),
      fc.array(text, { minLength: 1, maxLength: 8 }),
      (expression, texts) => {
        const { data } = patternPlan(expression)
        if (data === undefined) return
        const check = textCheck(JSON.parse(JSON.stringify(data)) as PatternData)
        const same = new RegExp(expression, 'u')
        for (const one of texts.filter((each) => !isMisread(expression, each)))
          expect([expression, one, check.test(one)]).toEqual([expression, one, same.test(one)])
      },
    ),
    { numRuns: runs(150, 5_000) },
  )
})

/** Parts of a pattern: groups, lookaround, contents of a group, and alternatives, the last one first. */
const stepped = fc.letrec<{ source: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(atom, quantifier).map(([one, many]) => (isAssertion(one) ? one : one + many)),
    fc.tuple(tie('source'), quantifier).map(([inner, many]) => `(${inner})${many}`),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('source'))
      .map(([open, inner]) => `${open}${inner})`),
    fc.tuple(fc.constantFrom('\\1', '\\2'), quantifier).map(([one, many]) => `${one}${many}`),
  ),
  source: fc
    .array(fc.array(tie('piece'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((pieces) => pieces.join('')).join('|')),
})).source

/** Adds the groups that backreferences need. */
const whole = stepped.map((inner) => (/\\[12]/.test(inner) ? `(a|1)(b?)${inner}` : inner))

describe('the steps of a pattern', () => {
  test.each(['u', ''])(
    'say of a text what the expression says with the flags "%s"',
    { tags: 'long' },
    (flags) => {
      let decided = 0
      fc.assert(
        fc.property(whole, fc.array(text, { minLength: 1, maxLength: 8 }), (expression, texts) => {
          const source =
            flags === 'u'
              ? expression
              : expression
                  .replaceAll('\\p{L}', 'L')
                  .replaceAll('[a-\u{1f600}]', '[a-z]')
                  .replaceAll(/\\u\{\w+\}|[^\0-\uffff]/gu, '.')
          const steps = patternSteps(source, flags)
          if (steps === undefined) throw new Error(`no steps for ${source}`)
          const check = textCheck(steps)
          const same = new RegExp(source, flags)
          for (const one of texts.filter((each) => !isMisread(source, each) && check.decides(each))) {
            decided++
            expect([source, one, check.test(one)]).toEqual([source, one, same.test(one)])
          }
        }),
        { numRuns: runs(400, 50_000) },
      )
      expect(decided).toBeGreaterThan(1000)
    },
  )

  it.each([
    ['^(a+)+(b)\\2$', 30, 'a', false],
    ['^(a+)+(b)\\2$', 5, 'a', true],
    [`^(["']).*.*.*.*.*.*.*.*\\1$`, 10, '"', true],
    ['^(["\']).*\\1$', 100_000, '"', true],
    ['^(?:(?!a+b).)*$', 100_000, 'ab', true],
    ['^(?:(?!a+b).)*$', 100_000, 'a', false],
    ['(a.*)\\1c', 10_000, 'a', false],
  ])('of %s over %i characters of "%s" are few: %s', (source, length, part, isFew) => {
    const steps = patternSteps(source, 'u')
    if (steps === undefined) throw new Error('no steps')
    expect(textCheck(steps).decides(part.repeat(length / part.length))).toBe(isFew)
  })
})

test('the engine needs few steps per character for its patterns', { tags: 'long' }, () => {
  let count = 0
  fc.assert(
    fc.property(
      fc.oneof(source, stepped),
      fc.array(text, { minLength: 1, maxLength: 3 }),
      text,
      (expression, parts, end) => {
        const anchored = `^(?:${expression})`
        for (const each of [expression, anchored, `${anchored}$`, `${anchored}$[]`]) {
          if (/\\[12]/.test(each) || patternPlan(each).data !== undefined) continue
          const steps = patternSteps(each, 'u')
          if (steps === undefined) throw new Error(`no steps for ${each}`)
          const check = textCheck(steps)
          count++
          for (const part of parts) {
            const long = part.repeat(2000 / Math.max(1, part.length)) + end
            expect([each, part, end, check.decides(long)]).toEqual([each, part, end, true])
          }
        }
      },
    ),
    { numRuns: runs(150, 5_000) },
  )
  expect(count).toBeGreaterThan(100)
})

test('a large automaton gives up no text that backtracking decides in few steps', () => {
  const { data, givesUp } = patternPlan('^(.{0,500}a){2}.{0,500}$')
  if (data === undefined) throw new Error('it is left to the engine')
  const { test, decides } = textCheck(data)
  const long = 'a'.repeat(1500)
  expect([givesUp, decides(long), test(long), test(`${long}aaa`)]).toEqual([true, true, true, false])
})

test.each([
  ['^(a+)+$', 'a'],
  ['^(a|a)*$', 'a'],
  ['^(ab|a|b)*$', 'ab'],
  ['a+b', 'a'],
  ['^(?=(a+)+b)', 'a'],
  ['(.*a.{100}c)$', 'a'],
])('%s is answered in linear time', (expression, repeated) => {
  const { data } = patternPlan(expression)
  if (data === undefined) throw new Error('it is not run as an automaton')
  const check = textCheck(data)
  const long = `${repeated.repeat(100_000 / repeated.length)}!`
  const start = process.cpuUsage()
  expect(check.test(long)).toBe(false)
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(1000)
})
