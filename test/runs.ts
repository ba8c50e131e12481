/**
 * The number of tries of a property: two fifths of the usual one in the first stage, which tries the same cases each time,
 * or that of the long run (`npm run test:properties`).
 */
export function runs(usual: number, long: number): number {
  const { PROPERTIES, STAGE = 'first' } = process.env
  if (PROPERTIES === 'all') return long
  return ['first', 'unit'].includes(STAGE) ? Math.ceil(usual * 0.4) : usual
}
