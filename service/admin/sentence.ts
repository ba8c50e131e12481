import type { AuditEntry } from '../storage/tables/audit.js'

/** What an action is called in filters, and its words before the name of the object. */
interface Action {
  readonly label: string
  readonly words: string
  /** Whether the words say it all, since the user acts on the own account. */
  readonly isOwn?: boolean
}

/** Actions by the operations of the audit trail. */
export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['clients.update', { label: 'Client changed', words: 'changed client' }],
  ['admin.users.create', { label: 'User created', words: 'created user' }],
  ['user:create', { label: 'User created by a command', words: 'created user' }],
  ['admin.users.update', { label: 'User changed', words: 'changed user' }],
  ['admin.users.password', { label: 'Password set', words: 'set the password of' }],
  ['admin.keys.create', { label: 'API key created', words: 'created an API key of' }],
  ['admin.keys.show', { label: 'API key shown', words: 'looked at an API key of' }],
  ['admin.keys.rotate', { label: 'API key replaced', words: 'replaced an API key of' }],
  ['admin.keys.revoke', { label: 'API key revoked', words: 'revoked an API key of' }],
  ['admin.sessions.open', { label: 'Signed in', words: 'signed in', isOwn: true }],
  ['admin.sessions.revoke', { label: 'Sessions ended', words: 'ended sessions of' }],
  [
    'admin.app.confirm',
    { label: 'Authenticator app set up', words: 'set up an authenticator app', isOwn: true },
  ],
  [
    'admin.app.remove',
    { label: 'Authenticator app turned off', words: 'turned off the authenticator app', isOwn: true },
  ],
  ['admin.passkeys.create', { label: 'Passkey added', words: 'added a passkey', isOwn: true }],
  ['admin.passkeys.remove', { label: 'Passkey removed', words: 'removed a passkey', isOwn: true }],
  [
    'admin.recovery-codes.create',
    { label: 'Recovery codes created', words: 'created recovery codes', isOwn: true },
  ],
  ['admin.recovery-codes.use', { label: 'Recovery code used', words: 'used a recovery code', isOwn: true }],
  ['admin.factors.reset', { label: 'Second factors reset', words: 'reset the second factors of' }],
  [
    'user:reset-factors',
    { label: 'Second factors reset by a command', words: 'reset the second factors of' },
  ],
  ['admin.resellers.create', { label: 'Reseller created', words: 'created Reseller' }],
  ['admin.resellers.rename', { label: 'Reseller renamed', words: 'renamed Reseller' }],
])

const factors = new Map([
  ['app', 'a password and a code from the app'],
  ['passkey', 'a passkey'],
  ['recovery code', 'a password and a recovery code'],
])

/**
 * The words between who acted and on what. A name that the user chose comes apart from them, since no quotes are safe
 * around it. Other programs may have written actions that are not known here.
 */
export function wordsOf({ operation, entity, before, after }: AuditEntry): {
  readonly words: string
  readonly named?: string
  /** After the name. */
  readonly link?: string
  readonly hasObject: boolean
} {
  const action = actions.get(operation)
  if (action === undefined) return { words: `did ${operation} to ${entity}`, hasObject: true }
  const hasObject = action.isOwn !== true
  const { key, passkey, with: factor } = after ?? before ?? {}
  if (typeof key === 'string')
    return { words: action.words.replace(/an API key of$/, 'the API key'), named: key, link: 'of', hasObject }
  if (typeof passkey === 'string')
    return { words: action.words.replace('a passkey', 'the passkey'), named: passkey, hasObject }
  if (typeof factor !== 'string') return { words: action.words, hasObject }
  return { words: `${action.words} with ${factors.get(factor) ?? factor}`, hasObject }
}
