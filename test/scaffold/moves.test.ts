import { expect, it } from 'vitest'
import { scaffoldLines } from '../../generator/cli/scaffold-report.js'
import { Workspace } from '../../generator/stubs/workspace.js'
import { scaffolded } from './page.js'

// Operations move to another namespace and back, in every layout. Their code moves with them both ways.

const first = `owls.add POST /owls Add.
owls.list GET /owls List.
owls.top GET /owls/top Top.
rays.get GET /rays Get.`

const file = (name: string, object: string) => `import type { ${name}Handlers } from '@shop/api/1.0.0'
import type { Principal } from '../principal.js'

const shared = (text: string) => () => ({ id: text.length })
export const ${name.toLowerCase()}: ${name}Handlers<Principal> = ${object}
`

const list = "list: shared('x')"
const add = "add: shared('y')"
const top = "top: shared('z')"

const homes = {
  'on one line': `{ ${list}, ${add}, ${top} }`,
  'on one line with a last comma': `{ ${list}, ${add}, ${top}, }`,
  'on one line without space': `{${list},${add},${top}}`,
  'two on a line': `{\n  ${list}, ${add},\n  ${top},\n}`,
  'on lines': `{\n  ${list},\n  // It adds.\n  ${add},\n\n  ${top}\n}`,
  'given to a call': `Object.freeze({\n  ${list},\n  ${add}, ${top},\n})`,
}

const targets = {
  lines: "{\n  get: shared('r'),\n}",
  'one line': "{ get: shared('r') }",
}

const moves = [['add'], ['list'], ['top'], ['add', 'list'], ['add', 'top'], ['list', 'top']]

type Case = (typeof cases)[number]

const cases = Object.entries(homes).flatMap(([from, home]) =>
  Object.entries(targets).flatMap(([to, target]) =>
    moves.map((names) => ({ names: names.join(' and '), from, to, home, target })),
  ),
)

it.each(cases.filter(isFirst))('$names, $from, goes to $to and back', move)
it.each(cases.filter((one) => !isFirst(one)))('$names, $from, goes to $to and back', { tags: 'long' }, move)

/** The first and the last move of each source and target form. The others are similar. */
function isFirst({ names, to }: Case): boolean {
  return to === 'lines' ? names === 'add' : names === 'list and top'
}

function move({ names, from, home, target }: Case): void {
  const started = new Map([
    ...scaffolded(new Map(), '1.0.0', first).files,
    ['owls.ts', file('Owls', home)],
    ['rays.ts', file('Rays', target)],
  ])
  const { files: before } = scaffolded(started, '1.0.0', first)
  const second = names
    .split(' and ')
    .reduce((text, name) => text.replace(`owls.${name} `, `rays.${name} `), first)
  const { files: there } = scaffolded(before, '1.1.0', second)
  for (const name of names.split(' and ')) {
    expect(there.get('rays.ts')).toMatch(new RegExp(`^( {2}|.*[{,] )${name}: shared`, 'm'))
    expect(there.get('owls.ts')).not.toContain(`${name}: shared`)
  }
  expect(there.get('owls.ts')).not.toContain('parked')
  const { files: back } = scaffolded(there, '1.0.0', first)
  const [owls = '', rays = ''] = ['owls.ts', 'rays.ts'].map((path) => back.get(path))
  const workspace = new Workspace(back)
  for (const path of ['owls.ts', 'rays.ts']) expect(workspace.syntaxError(path)).toBeUndefined()
  for (const name of names.split(' and ')) {
    // An argument of a call has its own types, which moved code may not fit, so that code is parked.
    const isParked = from === 'given to a call'
    expect(isParked ? rays : owls).toMatch(
      new RegExp(`${isParked ? '^//.*' : '^ .*|[{,] ?'}\\b${name}: shared`, 'm'),
    )
    expect(isParked ? owls : rays).not.toMatch(new RegExp(`${name}: shared`))
  }
  expect(scaffolded(back, '1.0.0', first).after.write).toEqual(new Map())
}

it('a member of a class moves back into that class', () => {
  const started = new Map([
    ...scaffolded(new Map(), '1.0.0', first).files,
    [
      'owls.ts',
      `import type { OwlsHandlers } from '@shop/api/1.0.0'
import type { Principal } from '../principal.js'

class Base implements OwlsHandlers<Principal> {
  list = () => ({ id: 1 })
  add = () => ({ id: 2 })
  top = () => ({ id: 3 })
}

class Owls extends Base {
  count = 0
}

export const owls = new Owls()
`,
    ],
    [
      'rays.ts',
      `import type { RaysHandlers } from '@shop/api/1.0.0'
import type { Principal } from '../principal.js'

class Rays implements RaysHandlers<Principal> {
  get = () => ({ id: 4 })
}

export const rays = new Rays()
`,
    ],
  ])
  const { files: before } = scaffolded(started, '1.0.0', first)
  const { files: there } = scaffolded(before, '1.1.0', first.replace('owls.add ', 'rays.add '))
  expect(there.get('rays.ts')).toContain('add = () => ({ id: 2 })')
  const { files: back, after } = scaffolded(there, '1.0.0', first)
  expect(scaffoldLines(after)).toEqual([
    'changed  rays.add: is now owls.add, its code is in owls.ts  (rays.ts)',
  ])
  expect(back.get('owls.ts')).toMatch(/ {2}top = .*\n {2}add = \(\) => \({ id: 2 }\)\n}/)
  expect(back.get('rays.ts')).toBe(before.get('rays.ts'))
})
