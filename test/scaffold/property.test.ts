import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Workspace } from '../../generator/stubs/workspace.js'
import { runs } from '../runs.js'
import { type Files, scaffolded } from './page.js'

// Random files of teams: any formatting, comments and helpers around handlers in every form that duet supports.
// Whatever the next version adds, removes and renames, the team's code must stay unchanged.

/** The style of a team's file. */
interface Hand {
  readonly eol: '\n' | '\r\n'
  readonly indent: string
  readonly semicolon: '' | ';'
  readonly quote: "'" | '"'
  readonly lastComma: boolean
  readonly inline: boolean
  readonly container: 'const' | 'satisfies' | 'factory' | 'class' | 'frozen'
}

/** One handler: the text before its code, its form, and the text after it on its line. */
interface Written {
  readonly before: readonly string[]
  readonly form: 'method' | 'arrow' | 'text' | 'computed' | 'wrapped' | 'shorthand'
  readonly body: string
  readonly behind: string
  readonly blank: boolean
}

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']

const hand: fc.Arbitrary<Hand> = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  indent: fc.constantFrom('  ', '    ', '\t'),
  semicolon: fc.constantFrom('', ';'),
  quote: fc.constantFrom("'", '"'),
  lastComma: fc.boolean(),
  inline: fc.boolean(),
  container: fc.constantFrom('const', 'satisfies', 'factory', 'class', 'frozen'),
})

const comment = fc.constantFrom(
  '// Slow: see ticket 12.',
  '/** What the team says. */',
  '/* one, two, { three } */',
  '// } an end that is none {',
  '/**\n * Over\n * lines */',
  "// it's `odd`, // and so on",
)

const written: fc.Arbitrary<Written> = fc.record({
  before: fc.array(comment, { maxLength: 3 }),
  form: fc.constantFrom('method', 'arrow', 'text', 'computed', 'wrapped', 'shorthand'),
  body: fc.constantFrom(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    'return { name: `a\n  ${"}"}\n//  b` }',
    "const re = /[},]/g; return { name: 'x'.replace(re, '') }",
    'if (false) {\n      // never\n    }\n    return {}',
    'return {}',
    "return { name: '*/ /* , }' }",
  ),
  behind: fc.constantFrom('', ' // tested', ' /* kept */'),
  blank: fc.boolean(),
})

const helper = fc.constantFrom(
  'export const price = 3',
  'function unused(a: number) {\n        return   a\n}',
  '// Just a note, standing alone.',
  'export type Extra = { clients: string }',
  '/** Documented. */\nexport const extra = { get: () => 1, }',
)

interface Scenario {
  readonly hand: Hand
  readonly handlers: readonly Written[]
  readonly helpers: readonly string[]
  readonly fate: readonly ('kept' | 'removed' | 'renamed' | 'moved path')[]
  readonly added: number
}

const scenario: fc.Arbitrary<Scenario> = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc.record({
    hand,
    handlers: fc.array(written, { minLength: count, maxLength: count }),
    helpers: fc.array(helper, { maxLength: 3 }),
    fate: fc.array(fc.constantFrom('kept', 'removed', 'renamed', 'moved path'), {
      minLength: count,
      maxLength: count,
    }),
    added: fc.integer({ min: 0, max: 2 }),
  }),
)

/** The text of one member without its separator, its distinct part, and the code that must be outside the object. */
function member(one: Written, name: string, { indent, container }: Hand): { code: string; outside: string } {
  const isClass = container === 'class'
  const form = isClass && (one.form === 'wrapped' || one.form === 'shorthand') ? 'method' : one.form
  const body = `{\n${indent}${indent}/* ${name} */ ${one.body}\n${indent}}`
  const assign = isClass ? ' =' : ':'
  const end = isClass ? ';' : ''
  if (form === 'method') return { code: `async ${name}(params, context) ${body}`, outside: '' }
  if (form === 'arrow') return { code: `${name}${assign} async (params) => ${body}${end}`, outside: '' }
  if (form === 'text') return { code: `'${name}'${assign} async function () ${body}${end}`, outside: '' }
  if (form === 'computed') return { code: `["${name}"]${assign} () => ${body}${end}`, outside: '' }
  if (form === 'wrapped')
    return { code: `${name}: withAudit(async (params) => ${body}, { level: 1, })`, outside: '' }
  return { code: name, outside: `export async function ${name}() ${body}` }
}

function teamFile({ hand: style, handlers, helpers }: Scenario): string {
  const { indent, semicolon: end, quote, container, inline, lastComma } = style
  const parts = handlers.map((one, index) => ({ one, ...member(one, words[index] ?? '', style) }))
  const isClass = container === 'class'
  const onOneLine =
    inline && !isClass && parts.every(({ one }) => one.before.length === 0 && one.behind === '')
  const members = parts.map(({ one, code }, index) => {
    const mark = isClass ? '' : index < parts.length - 1 || lastComma ? ',' : ''
    if (onOneLine) return ` ${code}${mark}`
    const lines = [
      ...one.before.map((text) => text.replaceAll('\n', `\n${indent}`)),
      `${code}${mark}${one.behind}`,
    ]
    return `${one.blank && index > 0 ? '\n' : ''}${lines.map((line) => `\n${indent}${line}`).join('')}`
  })
  const object = `{${members.join('')}${onOneLine ? ' ' : '\n'}}`
  const type = 'ThingsHandlers<Principal>'
  const code = {
    const: `export const things: ${type} = ${object}${end}`,
    satisfies: `export const things = ${object} satisfies ${type}${end}`,
    frozen: `export const things = Object.freeze(${object} satisfies ${type})${end}`,
    factory: `export function makeThings(db: unknown): ${type} {\n${indent}return ${object}${end}\n}\nexport const things = makeThings(0)${end}`,
    class: `export class Things implements ${type} ${object}\nexport const things = new Things()${end}`,
  }[container]
  const [first = '', ...others] = helpers
  const text = [
    `import { type ThingsHandlers, problem } from ${quote}@shop/api/1.0.0${quote}${end}`,
    `import type { Principal } from ${quote}./principal.js${quote}${end}`,
    `import { withAudit } from ${quote}../audit.js${quote}${end}`,
    ...['', first, ...parts.map(({ outside }) => outside), code, ...others, ''],
  ].join('\n')
  return text.replaceAll('\n', style.eol)
}

function documents({ fate, added }: Scenario): { first: string; second: string } {
  const line = (name: string, path: string) => `things.${name} POST /${path} Do ${name}.`
  const first = fate.map((_, index) => line(words[index] ?? '', `things/${index}`))
  const second = fate.flatMap((one, index) => {
    const name = words[index] ?? ''
    if (one === 'removed') return []
    if (one === 'renamed') return [line(`${name}_now`, `things/${index}`)]
    return [line(name, one === 'kept' ? `things/${index}` : `others/${index}`)]
  })
  const more = Array.from({ length: added }, (_, index) => line(`new${index}`, `new/${index}`))
  // An empty namespace is parked as a whole, which the pages show.
  if (second.length + more.length === 0) more.push(line('new0', 'new/0'))
  return { first: first.join('\n'), second: [...second, ...more].join('\n') }
}

function withTeamFile(case_: Scenario): { before: Files; first: string; second: string } {
  const { first, second } = documents(case_)
  const fresh = scaffolded(new Map(), '1.0.0', first)
  const started = new Map([...fresh.files, ['things.ts', teamFile(case_)]])
  // The folder has been scaffolded with the first version.
  return { before: scaffolded(started, '1.0.0', first).files, first, second }
}

/** A file's live code, and the parked code at its end without the line prefixes. */
function parts(text: string): { readonly live: string; readonly parked: string } {
  const start = text.search(/^\/\/ #region parked by duet/m)
  if (start === -1) return { live: text, parked: '' }
  return { live: text.slice(0, start), parked: text.slice(start).replace(/^\/\/ ?/gm, '') }
}

it('leaves an up-to-date file unchanged', () => {
  fc.assert(
    fc.property(scenario, (case_) => {
      expect(withTeamFile(case_).before.get('things.ts')).toBe(teamFile(case_))
    }),
    { numRuns: runs(6, 60) },
  )
})

it('keeps every byte of surviving operations in order, parks the others, and loses nothing on the way back', {
  tags: 'long',
}, () => {
  fc.assert(
    fc.property(scenario, (case_) => {
      const { before, first, second } = withTeamFile(case_)
      const { files: after } = scaffolded(before, '1.1.0', second)
      const text = after.get('things.ts') ?? ''

      const workspace = new Workspace(new Map([['things.ts', text]]))
      expect(workspace.syntaxError('things.ts')).toBeUndefined()

      const { live, parked } = parts(text)
      let from = 0
      for (const [index, one] of case_.handlers.entries()) {
        const { code, outside } = member(one, words[index] ?? '', case_.hand)
        const body = (outside || code).slice((outside || code).indexOf('{')).replaceAll('\n', case_.hand.eol)
        if (case_.fate[index] === 'removed') {
          if (outside === '') expect(parked).toContain(body)
          else expect(live).toContain(body)
        } else if (outside === '') {
          expect(live.indexOf(body, from)).toBeGreaterThanOrEqual(from)
          from = live.indexOf(body, from) + body.length
        } else expect(live).toContain(body)
      }
      for (const note of case_.helpers) expect(live).toContain(note.replaceAll('\n', case_.hand.eol))

      expect(scaffolded(after, '1.1.0', second).after.write).toEqual(new Map())

      const { files: back, after: report } = scaffolded(after, '1.0.0', first)
      const last = parts(back.get('things.ts') ?? '')
      expect(new Workspace(back).syntaxError('things.ts')).toBeUndefined()
      for (const [index, one] of case_.handlers.entries()) {
        const { code, outside } = member(one, words[index] ?? '', case_.hand)
        const body = (outside || code).slice((outside || code).indexOf('{')).replaceAll('\n', case_.hand.eol)
        const isParked = case_.fate[index] === 'removed' && outside === ''
        expect(isParked ? last.parked : last.live).toContain(body)
        const note = `it has a parked handler of things.${words[index]}: use it or delete it`
        const notes = report.report.left.filter(({ reason }) => reason === note)
        expect(notes).toHaveLength(case_.fate[index] === 'removed' ? 1 : 0)
      }
      for (const note of case_.helpers) expect(last.live).toContain(note.replaceAll('\n', case_.hand.eol))
      expect(scaffolded(back, '1.0.0', first).after.write).toEqual(new Map())
    }),
    { numRuns: runs(10, 120) },
  )
})

it('produces the same file after a temporary syntax error', { tags: 'long' }, () => {
  fc.assert(
    fc.property(scenario, (case_) => {
      const { before, first, second } = withTeamFile(case_)
      const text = before.get('things.ts') ?? ''
      const broken = new Map([...before, ['things.ts', `${text}\n<<<<<<< HEAD\n`]])
      const later = scaffolded(scaffolded(broken, '1.0.1', first).files, '1.1.0', second).files
      const mended = scaffolded(new Map([...later, ['things.ts', text]]), '1.1.0', second).files
      expect(mended).toEqual(scaffolded(before, '1.1.0', second).files)
    }),
    { numRuns: runs(4, 40) },
  )
})
