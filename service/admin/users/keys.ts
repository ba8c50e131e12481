import { makeApiKey } from '../../identity/api-key.js'
import { isName } from '../../identity/rules.js'
import type { KeyOutcome, SealedKey } from '../../storage/tables/identity/api-keys.js'
import { mostKeys } from '../../storage/tables/identity/api-keys.js'
import { isolated } from '../visible.js'
import { type Area, message, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { keyPath } from './key-path.js'
import { nameFault } from './settings-form.js'
import { expiries, longestName, openKey, overlaps, shownKey } from './shown-key.js'
import { accountOf, userPage } from './user-page.js'

/** Stores a new key, and shows it on the next page. */
export async function createKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const typed = { name: visit.form.get('key_name') ?? '', expiry: visit.form.get('key_expiry') ?? '' }
  const expiry = expiries.find(({ value }) => value === typed.expiry)
  const keyFaults = {
    ...(!isName(typed.name, longestName) && { key_name: nameFault('a name', typed.name, longestName) }),
    ...(expiry === undefined && { key_expiry: 'Choose one.' }),
  }
  const again = (faults: object) =>
    userPage(area, visit, account, { status: 422, sentKey: typed, keyFaults: { ...keyFaults, ...faults } })
  if (Object.keys(keyFaults).length > 0) return again({})
  const key = { ...newKey(area), name: typed.name, days: expiry?.days }
  const outcome = await area.keys.create(visit.actor, account.id, key, visit.sessionId)
  if (outcome === 'taken') return again({ key_name: 'The user has a key with this name.' })
  return afterKey(outcome, account.id, 'created')
}

/** Stores a new key in the place of one that works for a while longer, and shows it on the next page. */
export async function replaceKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const overlap = overlaps.find(({ value }) => value === visit.form.get('overlap'))
  if (overlap === undefined)
    return message(
      422,
      'The key was not replaced',
      `Choose when the old key expires: ${overlaps.map(({ label }) => label).join(', ')}.`,
    )
  const id = Number(visit.named.key)
  const outcome = await area.keys.replace(
    visit.actor,
    account.id,
    id,
    newKey(area),
    overlap.seconds,
    visit.sessionId,
  )
  if (outcome === 'full')
    return message(
      409,
      'The key was not replaced',
      `The user has ${mostKeys} keys, and one that was replaced and still works. Revoke that one first, or let this one stop working at once.`,
    )
  if (outcome !== 'gone') return afterKey(outcome, account.id, overlap.seconds === 0 ? 'swapped' : 'replaced')
  return { to: `/admin/users/${account.id}?done=key-gone#keys-title` }
}

/** Offers a key to the next page, and records that in the audit trail. */
export async function showKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  const id = Number(visit.named.key)
  if (account === undefined || !(await area.keys.offer(visit.actor, account.id, id, visit.sessionId)))
    return noSuchPage
  return { to: keyPath(account.id, id) }
}

export async function revokeKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const isDone = await area.keys.revoke(visit.actor, account.id, Number(visit.named.key))
  return { to: `/admin/users/${account.id}?done=${isDone ? 'revoked' : 'key-gone'}#keys-title` }
}

/** One key: its secret if it is offered to this session, which it is once. Pages of other sites cannot take the offer. */
export async function keyPage(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const key = (await area.keys.list(account.id)).find(({ id }) => String(id) === visit.named.key)
  if (key === undefined) return noSuchPage
  const { request } = visit
  const isOwn = request.method === 'GET' && request.headers['sec-fetch-site'] !== 'cross-site'
  const taken = isOwn ? await area.keys.take(account.id, key.id, visit.sessionId) : undefined
  const secret = taken && openKey(area, taken)
  return {
    page: 'key',
    title: `${isolated(key.name)} of ${isolated(account.login)}`,
    data: {
      account,
      isOwn: account.id === visit.user.id,
      isOther: account.id !== visit.user.id,
      path: `/admin/users/${account.id}`,
      notice: secret === undefined ? undefined : notices.get(visit.query.get('done') ?? ''),
      key: shownKey(area, key, visit.timezone),
      ...(secret !== undefined && { secret, calls: callsWith(secret, visit) }),
    },
  }
}

function newKey({ vault }: Area): SealedKey {
  const apiKey = makeApiKey()
  return { digest: vault.digest(apiKey), ciphertext: vault.seal(apiKey) }
}

function afterKey(outcome: KeyOutcome, userId: number, done: string): PageResult {
  if (outcome === 'full')
    return message(409, 'No key was created', `A user has at most ${mostKeys} keys. Revoke one first.`)
  if (typeof outcome === 'string') return noSuchPage
  return { to: `${keyPath(userId, outcome.id)}?done=${done}` }
}

const notices = new Map([
  ['user', 'The user is created, with an API key.'],
  ['created', 'The key is created.'],
  ['swapped', 'The key is replaced. Calls with the old one now get 401.'],
  ['replaced', 'The key is replaced. The old one works until it expires.'],
])

/** Lines for a shell that call with a key, as they are. Every version of the API has this operation. */
function callsWith(secret: string, { origin }: SignedIn) {
  const rpc = '{"jsonrpc":"2.0","id":1,"method":"lnp.gateways.search","params":{"limit":1}}'
  return {
    rest: `curl -H 'X-Api-Key: ${secret}' '${origin}/lnp/gateways?limit=1'`,
    jsonrpc: `curl -H 'X-Api-Key: ${secret}' -H 'Content-Type: application/json' -d '${rpc}' '${origin}/'`,
  }
}
