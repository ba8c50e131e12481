import { randomBytes } from 'node:crypto'
import { formPage } from './routes.js'
import type { Area, PageResult, SignedIn } from './visit.js'

type Page = Extract<PageResult, { readonly page: string }>

/**
 * Answers a refused form with a redirect to the page about it, so that a reload or a step back asks for that page, and
 * sends the form never again. Its session keeps the page for some minutes; pages have no passwords and no codes.
 */
export async function refusal(
  { sessions }: Area,
  { digest, isAdmin }: SignedIn,
  path: string,
  answer: PageResult,
): Promise<PageResult> {
  if (!('page' in answer)) return answer
  const { page, title, status = 200, data, headers } = answer
  if (!kept.has(status)) return answer
  const form = formPage(path)
  const back = status === 404 ? {} : { form }
  const shown = { page, title, status, data: { ...data, ...unsaved(status), ...back } }
  const text = JSON.stringify({ isAdmin, form, shown })
  if (text.length > longestPage) return answer
  const id = randomBytes(12).toString('base64url')
  await sessions.keepRefused(digest, id, text)
  return {
    to: `${form}?${new URLSearchParams({ refused: id })}`,
    status,
    ...(headers !== undefined && { headers }),
  }
}

/** The page about a refused form that a request asks for. Undefined if it asks for none, or for one of long ago. */
export async function refusedPage(
  { sessions }: Area,
  { digest, isAdmin, query }: SignedIn,
  path: string,
): Promise<Page | undefined> {
  const id = query.get('refused')
  const text = id === null ? undefined : await sessions.refused(digest, id)
  if (text === undefined) return undefined
  const found = JSON.parse(text) as { readonly isAdmin: boolean; readonly form: string; readonly shown: Page }
  return found.isAdmin === isAdmin && found.form === path ? { ...found.shown, isAgain: true } : undefined
}

/** For the title of a page that shows what was typed. */
export function unsaved(status: number | undefined): { readonly isUnsaved: boolean } {
  return { isUnsaved: status === 409 || status === 422 }
}

/** Signing in has no session, and leads to pages of its own. If the database is away, no page can be stored. */
const kept: ReadonlySet<number> = new Set([403, 404, 409, 422, 429])

/** As in the database. */
const longestPage = 262_144
