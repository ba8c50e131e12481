import { passwordLength } from '../identity/password.js'
import { isPassword } from '../identity/rules.js'
import { type Faults, withFaults } from './form.js'

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
