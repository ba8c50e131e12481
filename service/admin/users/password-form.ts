import { ProblemError } from 'duet-runtime'
import { passwordLength } from '../../identity/password.js'
import { isPassword } from '../../identity/rules.js'
import { type Faults, withFaults } from '../form.js'
import { shownWait } from '../shown.js'
import type { Area, SignedIn } from '../visit.js'

/** Reads a password that was typed twice, and its faults. */
export function readPasswordForm(form: URLSearchParams): {
  readonly password: string
  readonly faults: Faults
} {
  const password = form.get('password') ?? ''
  const faults = {
    ...(!isPassword(password) && { password: lengthFault }),
    ...(isPassword(password) && form.get('repeated') !== password && { repeated: 'The passwords differ.' }),
  }
  return { password, faults }
}

/** The fields of the form, always empty. Users need the current password to change their own. */
export function passwordFields(isOwn: boolean, faults: Faults): Readonly<Record<string, object>> {
  return withFaults(
    {
      ...(isOwn && {
        current: {
          label: 'Current password',
          type: 'password',
          autocomplete: 'current-password',
          isRequired: true,
        },
      }),
      ...newPasswordFields,
    },
    faults,
  )
}

export const newPasswordFields = {
  password: {
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `${passwordLength.minimum} characters or more.`,
    isRequired: true,
  },
  repeated: { label: 'New password again', type: 'password', autocomplete: 'new-password', isRequired: true },
} as const

const lengthFault = `Enter ${passwordLength.minimum} to ${passwordLength.maximum} characters.`

/** The fault of the password that a user must know to change something of the own account. */
export async function currentFault(
  area: Area,
  visit: SignedIn,
  { login }: { readonly login: string },
): Promise<Faults> {
  const current = visit.form.get('current') ?? ''
  if (current === '') return { current: 'Enter your current password.' }
  try {
    await area.verify(visit.request, login, current)
    return {}
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.code === 'invalid_credentials') return { current: 'This is not your password.' }
    if (error.code !== 'rate_limited') throw error
    return { current: `Too many attempts. Try again in ${shownWait(error.retryAfter ?? 60)}.` }
  }
}
