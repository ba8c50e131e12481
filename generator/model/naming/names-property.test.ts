import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameOperations } from './names.js'
import type { EarlierName } from './naming.js'
import type { NameSource } from './source.js'

const at = () => ({ file: 'openapi.yaml', line: 1, column: 1 })

function operation(verb: string, path: string, operationId?: string): NameSource {
  return { verb, path, operationId, method: undefined, at, answers: () => 'unknown' }
}

function namesOf(sources: readonly NameSource[], earlier: readonly EarlierName[] = []): string[] {
  return nameOperations(sources, [], { earlier })
}

describe('whatever a document has', () => {
  const words = [
    'orders',
    'order',
    'get',
    'list',
    'cancel',
    'v1',
    '{id}',
    '{part}',
    'items',
    'search',
    'then',
    'é',
  ]
  const paths = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
  const ids = fc.option(
    fc.oneof(
      fc.constantFrom(
        'cancelOrder',
        'orders.get',
        'orders/get',
        'orders_list',
        'getOrders',
        'post',
        '__',
        'x',
      ),
      fc.string({ maxLength: 12 }),
    ),
    { nil: undefined },
  )
  const one = fc
    .record({ verb: fc.constantFrom('get', 'put', 'post', 'patch', 'delete'), path: paths, operationId: ids })
    .map(({ verb, path, operationId }) => operation(verb, path, operationId))
  const many = fc.uniqueArray(one, {
    minLength: 2,
    maxLength: 10,
    selector: ({ verb, path }) => `${verb} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
  })

  const earlierOf = (sources: readonly NameSource[], names: readonly string[]): EarlierName[] =>
    sources.map(({ verb, path, operationId }, index) => ({
      name: names[index] ?? '',
      method: verb,
      path,
      operationId,
    }))

  it('each name can be called, and is its own', () => {
    fc.assert(
      fc.property(many, (sources) => {
        const names = namesOf(sources)
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/)
          expect(
            names.some((other) => other.startsWith(`${name}.`)),
            name,
          ).toBe(false)
        }
      }),
    )
  })

  it('names are the same in every order of the document', () => {
    const orders = many.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(
      fc.property(orders, ([all, order]) => {
        const names = namesOf(all)
        expect(namesOf(order)).toEqual(order.map((source) => names[all.indexOf(source)]))
      }),
    )
  })

  it('adding an operation renames no other that had a name', () => {
    fc.assert(
      fc.property(many, ([added, ...sources]) => {
        const names = namesOf(sources)
        expect(
          namesOf([...sources, ...(added ? [added] : [])], earlierOf(sources, names)).slice(0, -1),
        ).toEqual(names)
      }),
    )
  })

  it('adding an operation renames, where nothing is known of earlier names, only one that wants the same or a longer name', () => {
    fc.assert(
      fc.property(many, ([added, ...sources]) => {
        if (added === undefined) return
        const before = namesOf(sources)
        const after = namesOf([...sources, added])
        const wished = namesOf([added])[0] ?? ''
        for (const [index, source] of sources.entries()) {
          if (before[index] === after[index]) continue
          const rivals = [before[index] ?? '', after[index] ?? '', ...namesOf([source])]
          const first = (name: string): string => name.split(/[._]/)[0] ?? ''
          expect(rivals.map(first)).toContain(first(wished))
        }
      }),
    )
  })

  it('what is found out once stays, however often it is generated', () => {
    fc.assert(
      fc.property(many, (sources) => {
        const names = namesOf(sources)
        expect(namesOf(sources, earlierOf(sources, names))).toEqual(names)
      }),
    )
  })
})

describe('a hostile document', () => {
  it.each([
    ['capitals', (size: number) => `/${'A'.repeat(size)}`],
    ['marks', (size: number) => `/${':a'.repeat(size / 2)}{`],
    ['braces', (size: number) => `/${'{a'.repeat(size / 2)}`],
    ['segments', (size: number) => '/a'.repeat(size / 2)],
    ['parameters', (size: number) => '/{a}'.repeat(size / 4)],
  ])('has names in time that grows with its text: %s', (_, pathOf) => {
    const operationId = 'aB'.repeat(150)
    const costOf = (size: number): number => {
      const start = process.cpuUsage()
      namesOf([operation('get', pathOf(size), operationId), operation('put', pathOf(size))])
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    }
    costOf(1000)
    const [small, large] = [costOf(4000), costOf(32_000)]
    // The text is eight times as long; with quadratic time it would take sixty-four times as long.
    expect(large).toBeLessThan(30 * Math.max(small, 20))
  })
})
