/** How often a test kills a process: KILLS, which `npm run test:kills` sets, else `few`. */
export function killsOr(few: number): number {
  return Number(process.env.KILLS ?? few)
}
