import { localPath } from '../form.js'

/**
 * The path of the sign-in page, which returns to `next`. `lost`: typed data was not saved. `in`: the user has just
 * signed in, and the page redirects at once if the browser stored the session.
 */
export function signInPath(
  next: string,
  done?: 'lost' | 'in' | 'late' | 'key' | 'wrong' | 'limited',
): string {
  const path = localPath(next)
  const query = new URLSearchParams({ ...(done && { done }), ...(path !== '/admin/' && { next: path }) })
  return query.size === 0 ? '/admin/sign-in' : `/admin/sign-in?${query}`
}
