import { isName, nameLength } from './rules.js'

/**
 * Whether a new login is well formed: a name without Latin letters next to Cyrillic or Greek ones, which look
 * like them (UTS #39, section 5.2).
 */
export function isLogin(login: string): boolean {
  return isName(login, nameLength.login) && !isMixed(login)
}

export function isMixed(login: string): boolean {
  return /\p{Script=Latin}/u.test(login) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(login)
}
