import { randomBytes } from 'node:crypto'
import { formPage } from './routes.js'
import type { Area, PageResult, SignedIn, Visit } from './visit.js'

type Page = Extract<PageResult, { readonly page: string }>

/**
 * Answers a refused form with a redirect to the page about it, so that a reload or a step back asks for that page, and
 * sends the form never again. The session keeps a page with what was typed for some minutes; pages have no passwords and
 * no codes.
 */
export async function refusal(
  { sessions, signer }: Area,
  { digest, isAdmin }: SignedIn,
  path: string,
  answer: PageResult,
): Promise<PageResult> {
  if (!('page' in answer)) return answer
  if (answer.page === 'message') return signedRefusal(signer, path, answer)
  const { page, title, status = 200, data, headers } = answer
  if (status < 400) return answer
  const form = formPage(path)
  const shown = { page, title, status, data: { ...data, ...unsaved(status), form } }
  const text = JSON.stringify({ isAdmin, form, shown })
  if (text.length > longestPage) return answer
  const id = randomBytes(12).toString('base64url')
  await sessions.keepRefused(digest, id, text)
  return leadTo(form, id, status, headers)
}

/**
 * The same for a page of a title and a text, with no need of a session or a database: its address has all of it, signed
 * and for some minutes.
 */
export function signedRefusal({ sign }: Area['signer'], path: string, answer: PageResult): PageResult {
  if (!('page' in answer) || answer.page !== 'message') return answer
  const { title, status = 200, data, headers } = answer
  if (status < 400) return answer
  const form = formPage(path)
  return leadTo(form, sign(purpose, JSON.stringify({ form, title, status, data })), status, headers)
}

function leadTo(form: string, refused: string, status: number, headers: PageResult['headers']): PageResult {
  const to = `${form}?${new URLSearchParams({ refused })}`
  return { to, status, ...(headers !== undefined && { headers }) }
}

/** The page of {@link signedRefusal} that a request asks for. */
export function signedRefusedPage(
  { signer }: Area,
  { query }: Pick<Visit, 'query'>,
  path: string,
): Page | undefined {
  const text = signer.open(purpose, query.get('refused') ?? '')
  if (text === undefined) return undefined
  const { form, status, data, ...told } = JSON.parse(text) as Told
  if (form !== path) return undefined
  // What is not there has no form.
  const back = status === 404 ? {} : { form }
  return { ...told, page: 'message', status, data: { ...data, ...unsaved(status), ...back }, isAgain: true }
}

type Told = Required<Pick<Page, 'title' | 'status' | 'data'>> & { readonly form: string }

const purpose = 'refused form'

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
function unsaved(status: number): { readonly isUnsaved: boolean } {
  return { isUnsaved: status === 409 || status === 422 }
}

/** As in the database. */
const longestPage = 262_144
