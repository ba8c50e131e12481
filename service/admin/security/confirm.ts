import { localPath, withFaults } from '../form.js'
import { currentFault } from '../users/password-form.js'
import type { Area, PageResult, SignedIn } from '../visit.js'

/** Asks for the password before something that a stolen session must not do. */
export async function showConfirm(_area: Area, { query }: SignedIn): Promise<PageResult> {
  return confirmPage(localPath(query.get('next')))
}

export async function confirm(area: Area, visit: SignedIn): Promise<PageResult> {
  const next = localPath(visit.form.get('next'))
  const faults = await currentFault(area, visit, visit.user)
  if (faults.current !== undefined) return confirmPage(next, faults)
  await area.sessions.confirm(visit.digest)
  return { to: next }
}

export function confirmPath(next: string): string {
  return `/admin/confirm?${new URLSearchParams({ next })}`
}

function confirmPage(next: string, faults: Readonly<Record<string, string>> = {}): PageResult {
  const field = {
    label: 'Your password',
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  }
  return {
    page: 'confirm',
    title: 'Confirm that it is you',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    data: { next, fields: withFaults({ current: field }, faults) },
  }
}
