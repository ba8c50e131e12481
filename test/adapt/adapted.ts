import { type Adaptation, adaptationOf } from '../../generator/adapt/adaptation.js'
import { Attacker } from '../../generator/adapt/attack.js'
import { sidesOf } from '../diff/compared.js'

/** Two documents without their heads, versions 1.0.0 and 1.1.0 of one shop, compared for adapters. */
export async function adapted(
  old: string,
  fresh: string,
  { count = 60, seed = '1' }: { readonly count?: number; readonly seed?: string } = {},
): Promise<{ readonly adaptation: Adaptation; readonly attacker: Attacker }> {
  const [before, after] = await sidesOf(head('1.0.0') + old, head('1.1.0') + fresh)
  if (before.model === undefined || after.model === undefined) throw new Error('A document has no model')
  const attacker = new Attacker(before.model, after.model, { count, seed })
  return { adaptation: adaptationOf(before, after, attacker.attack), attacker }
}

function head(version: string): string {
  return `openapi: 3.2.0\ninfo: { title: Shop, version: ${version} }\n`
}
