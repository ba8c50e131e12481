import { isStorable } from '../storage/tables/identifier.js'
import { passwordLength } from './password.js'

/** Most characters that what a user is called and has may have. */
export const nameLength = { login: 255, role: 50, reseller: 255 } as const

/**
 * Whether this is a name of 1 to `maximum` characters, none of them a control character, without spaces around it that
 * nobody sees.
 */
export function isName(text: string, maximum: number): boolean {
  const characters = [...text].length
  if (characters < 1 || characters > maximum || text.trim() !== text) return false
  return isStorable(text) && !/\p{Cc}/u.test(text)
}

/** NUL at the end of a password would count for nothing. */
export function isPassword(text: string): boolean {
  return (
    !text.includes('\0') && text.length >= passwordLength.minimum && text.length <= passwordLength.maximum
  )
}
