import { accountOf } from '../users/user-page.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { confirmPath } from './confirm.js'

/** Removes all second factors of another user, who has lost them. */
export async function resetFactors(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined || account.id === visit.user.id) return noSuchPage
  const page = `/admin/users/${account.id}`
  if (!visit.isFresh) return { to: confirmPath(page) }
  await area.factors.reset(visit.actor, account.id)
  return { to: `${page}?done=factors` }
}
