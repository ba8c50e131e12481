import { makeRecoveryCodes, recoveryDigest } from '../../identity/recovery-codes.js'
import type { Area, PageResult, SignedIn } from '../visit.js'
import { fresh, securityPath } from './security.js'

/** Replaces the recovery codes, and shows the new ones on the next page. */
export function createCodes(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    await storeCodes(area, visit)
    return { to: `${securityPath(visit.user.id)}/codes` }
  })
}

/** New codes, once. Pages of other sites cannot take them. */
export function showCodes(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    const { request, user, sessionId } = visit
    const isOwn = request.method === 'GET' && request.headers['sec-fetch-site'] !== 'cross-site'
    const sealed = isOwn ? await area.factors.takeCodes(user.id, sessionId) : undefined
    if (sealed === undefined) return { to: securityPath(user.id) }
    const codes = area.sealer.open(sealed, contextOf(user.id)).split(' ')
    const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
    return { page: 'codes', title: 'Recovery codes', data: { path: securityPath(user.id), codes, file } }
  })
}

/** After the first factor: the recovery codes, which the user has none of yet. */
export async function withFirstCodes(
  area: Area,
  visit: SignedIn,
  done: 'app' | 'passkey',
): Promise<PageResult> {
  const path = securityPath(visit.user.id)
  const { codes } = await area.factors.of(visit.user.id)
  if (codes > 0) return { to: `${path}?done=${done}` }
  await storeCodes(area, visit)
  return { to: `${path}/codes` }
}

async function storeCodes(area: Area, { actor, user, sessionId }: SignedIn): Promise<void> {
  const codes = makeRecoveryCodes()
  await area.factors.setCodes(
    { ...actor, operation: 'admin.recovery-codes.create' },
    user.id,
    codes.map((code) => recoveryDigest(user.id, code)),
    { sealed: area.sealer.seal(codes.join(' '), contextOf(user.id)), sessionId },
  )
}

function contextOf(userId: number): Buffer {
  return Buffer.from(`recovery codes ${userId}`)
}
