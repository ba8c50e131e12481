import { isStorable } from '../storage/tables/identifier.js'
import { passwordLength } from './password.js'

/** Greatest lengths of names, in characters. */
export const nameLength = { login: 255, role: 50, reseller: 255 } as const

/** The roles that a user can get: `admin` administers, `user` has only the own settings. */
export const roles = ['user', 'admin'] as const

/**
 * Whether this is a name of 1 to `maximum` characters, without control characters, invisible ones and surrounding
 * spaces.
 */
export function isName(text: string, maximum: number): boolean {
  const characters = [...text].length
  if (characters < 1 || characters > maximum || text.trim() !== text) return false
  return isStorable(text) && !/\p{Cc}/u.test(text) && !isInvisible(text)
}

/** Whether characters of a name cannot be seen, so that it could look like another or turn the text around it. */
export function isInvisible(text: string): boolean {
  return new RegExp(`[${invisible}]`, 'u').test(text)
}

const invisible = '\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}'

/** The attribute `pattern` of a name's field, for pages that check it before they send it. */
export const namePattern = `[^\\p{Cc}${invisible}]*`

/** Refuses NUL, since scrypt ignores it at the end of a password. */
export function isPassword(text: string): boolean {
  return (
    !text.includes('\0') && text.length >= passwordLength.minimum && text.length <= passwordLength.maximum
  )
}
