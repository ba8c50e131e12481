import type { ParameterBinding } from 'duet-runtime'

interface Route {
  readonly path: string
  readonly parameters: readonly Pick<ParameterBinding, 'name' | 'param' | 'in'>[]
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
