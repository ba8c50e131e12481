import { creationOptions, passkeyHost } from '../../identity/passkey.js'
import { namePattern } from '../../identity/rules.js'
import { mostPasskeys } from '../../storage/tables/identity/passkeys.js'
import { type Faults, withFaults } from '../form.js'
import { shownMinute } from '../shown.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { confirmPath } from './confirm.js'

/** The signed-in user's second factors. Others see of them only that they exist. */
export async function showSecurity(area: Area, visit: SignedIn): Promise<PageResult> {
  return securityPage(area, visit, { notice: notices.get(visit.query.get('done') ?? '') })
}

export interface SecurityState {
  readonly status?: number
  readonly notice?: string | undefined
  readonly fault?: string
  readonly name?: string
  readonly faults?: Faults
}

export async function securityPage(
  area: Area,
  visit: SignedIn,
  { status = 200, notice, fault, name = '', faults = {} }: SecurityState,
): Promise<PageResult> {
  const { user, timezone, origin, isFresh } = visit
  if (!isOwn(visit)) return noSuchPage
  const [factors, passkeys] = await Promise.all([area.factors.of(user.id), area.passkeys.list(user.id)])
  const rpId = passkeyHost(origin)
  // A device keeps what it has created, so it is asked only for what can be stored.
  const canAdd = isFresh && rpId !== undefined && passkeys.length < mostPasskeys
  return {
    page: 'security',
    title: 'Sign-in security',
    status,
    data: {
      path: securityPath(user.id),
      userPath: `/admin/users/${user.id}`,
      notice,
      fault,
      factors: { ...factors, isNone: !factors.hasApp && factors.passkeys === 0 },
      passkeys: passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
        id: passkey.id,
        name: passkey.name,
        rpId: passkey.rpId,
        isElsewhere: passkey.rpId !== rpId,
        createdAt: shownMinute(createdAt, timezone),
        ...(lastUsedAt !== undefined && { lastUsedAt: shownMinute(lastUsedAt, timezone) }),
      })),
      isFresh,
      confirmPath: confirmPath(securityPath(user.id)),
      isPossible: rpId !== undefined,
      isFull: passkeys.length >= mostPasskeys,
      mostPasskeys,
      needsPasskeys: canAdd,
      ...(canAdd && { options: await creationOptions(user, rpId, passkeys, area.signer) }),
      fields: withFaults(
        {
          passkey_name: {
            label: 'Name',
            value: name,
            hint: 'Such as “Laptop” or “Security key”.',
            isRequired: true,
            maxlength: longestPasskeyName,
            pattern: namePattern,
            autocomplete: 'off',
          },
        },
        faults,
      ),
    },
  }
}

export const longestPasskeyName = 100

export function securityPath(userId: number): string {
  return `/admin/users/${userId}/security`
}

function isOwn({ named, user }: SignedIn): boolean {
  return named.id === String(user.id)
}

/** Runs a change of the own factors, once the user has proved to be the one a short time ago. */
export async function fresh(visit: SignedIn, run: () => Promise<PageResult>): Promise<PageResult> {
  if (!isOwn(visit)) return noSuchPage
  return visit.isFresh ? run() : { to: confirmPath(securityPath(visit.user.id)) }
}

const notices = new Map([
  ['app-off', 'The authenticator app is turned off.'],
  ['app', 'The authenticator app is set up.'],
  ['passkey', 'The passkey is added.'],
  ['passkey-gone', 'The passkey is removed.'],
  ['confirmed', 'Thank you. You can change your factors for 15 minutes.'],
])
