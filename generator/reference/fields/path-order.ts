import type { Operation } from '../../model/model.js'

type Binding = Pick<Operation['rest']['parameters'][number], 'name' | 'param' | 'in'>

interface Route {
  readonly path: string
  readonly parameters: readonly Binding[]
}

/** Compares params: those in the path come first, in its order. Others are equal. */
export function pathOrder({ path, parameters }: Route): (a: string, b: string) => number {
  const places = new Map(
    parameters
      .filter((binding) => binding.in === 'path')
      .map(({ name, param }) => [param, path.indexOf(`{${name}}`)]),
  )
  const placeOf = (param: string): number => places.get(param) ?? path.length
  return (a, b) => placeOf(a) - placeOf(b)
}
