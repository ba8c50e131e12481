/** How often a test kills: KILLS, which `npm run test:kills` sets. */
export function killsOr(few: number): number {
  return Number(process.env.KILLS ?? few)
}
