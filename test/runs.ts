/**
 * The number of tries of a property: the usual one, or that of the long run (`npm run test:properties`).
 */
export function runs(usual: number, long: number): number {
  return process.env.PROPERTIES === 'all' ? long : usual
}
