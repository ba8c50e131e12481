import { exportAudit, showAudit } from './audit.js'
import { showHome } from './home/home.js'
import { createReseller, exportResellers, listResellers, renameReseller, showReseller } from './resellers.js'
import { beginApp, confirmApp, removeApp, showApp } from './security/app.js'
import { createCodes, showCodes } from './security/codes.js'
import { confirm, showConfirm } from './security/confirm.js'
import { addPasskey, removePasskey } from './security/passkeys.js'
import { resetFactors } from './security/reset.js'
import { showSecurity } from './security/security.js'
import { signInWithPasskey } from './sign-in/passkey-sign-in.js'
import { showSecondStep, takeSecondStep } from './sign-in/second-step.js'
import { showSignIn, signIn, signOut } from './sign-in/sign-in.js'
import { exportUsage, showUsage } from './usage.js'
import { changePassword, endSessions } from './users/credentials.js'
import { createKey, keyPage, replaceKey, revokeKey, showKey } from './users/keys.js'
import { changeUser, createUser, showNewUser, showUser } from './users/users.js'
import { exportUsers, listUsers } from './users/users-list.js'
import type { Area, PageResult, SignedIn, Visit } from './visit.js'

/** A path of the area and its actions, by the names in the log and the audit trail. */
export type Route = { readonly path: RegExp } & (
  | { readonly who: 'anybody'; readonly get?: Action<Visit>; readonly post?: Action<Visit> }
  | { readonly who: 'user' | 'admin'; readonly get?: Action<SignedIn>; readonly post?: Action<SignedIn> }
)

export type Action<Who extends Visit> = readonly [
  operation: string,
  run: (area: Area, visit: Who) => Promise<PageResult>,
]

const user = '/admin/users/(?<id>[1-9]\\d{0,15})'
const key = `${user}/keys/(?<key>[1-9]\\d{0,15})`
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * Every page. `user`: any signed-in user. The pages themselves check that only administrators see other users.
 */
export const routes: readonly Route[] = [
  { path: at('/admin/?'), who: 'user', get: ['admin.home', showHome] },
  {
    path: at('/admin/sign-in'),
    who: 'anybody',
    get: ['admin.sessions.form', showSignIn],
    post: ['admin.sessions.open', signIn],
  },
  {
    path: at('/admin/sign-in/passkey'),
    who: 'anybody',
    post: ['admin.sessions.open', signInWithPasskey],
  },
  {
    path: at('/admin/sign-in/second-step'),
    who: 'anybody',
    get: ['admin.sessions.form', showSecondStep],
    post: ['admin.sessions.open', takeSecondStep],
  },
  {
    path: at('/admin/confirm'),
    who: 'user',
    get: ['admin.sessions.form', showConfirm],
    post: ['admin.sessions.confirm', confirm],
  },
  { path: at('/admin/sign-out'), who: 'user', post: ['admin.sessions.close', signOut] },
  { path: at('/admin/users'), who: 'admin', get: ['admin.users.search', listUsers] },
  { path: at('/admin/users\\.csv'), who: 'admin', get: ['admin.users.export', exportUsers] },
  {
    path: at('/admin/users/new'),
    who: 'admin',
    get: ['admin.users.form', showNewUser],
    post: ['admin.users.create', createUser],
  },
  {
    path: at(user),
    who: 'user',
    get: ['admin.users.get', showUser],
    post: ['admin.users.update', changeUser],
  },
  { path: at(`${user}/password`), who: 'user', post: ['admin.users.password', changePassword] },
  { path: at(`${user}/keys`), who: 'user', post: ['admin.keys.create', createKey] },
  { path: at(key), who: 'user', get: ['admin.keys.get', keyPage] },
  { path: at(`${key}/show`), who: 'user', post: ['admin.keys.show', showKey] },
  { path: at(`${key}/replace`), who: 'user', post: ['admin.keys.rotate', replaceKey] },
  { path: at(`${key}/revoke`), who: 'user', post: ['admin.keys.revoke', revokeKey] },
  { path: at(`${user}/factors/reset`), who: 'admin', post: ['admin.factors.reset', resetFactors] },
  ...securityRoutes(user),
  { path: at(`${user}/sessions/revoke`), who: 'user', post: ['admin.sessions.revoke', endSessions] },
  {
    path: at(`${user}/sessions/(?<session>${uuid})/revoke`),
    who: 'user',
    post: ['admin.sessions.revoke', endSessions],
  },
  {
    path: at('/admin/resellers'),
    who: 'admin',
    get: ['admin.resellers.search', listResellers],
    post: ['admin.resellers.create', createReseller],
  },
  { path: at('/admin/resellers\\.csv'), who: 'admin', get: ['admin.resellers.export', exportResellers] },
  {
    path: at('/admin/resellers/(?<id>[1-9]\\d{0,15})'),
    who: 'admin',
    get: ['admin.resellers.get', showReseller],
    post: ['admin.resellers.rename', renameReseller],
  },
  { path: at('/admin/audit'), who: 'admin', get: ['admin.audit.search', showAudit] },
  { path: at('/admin/audit\\.csv'), who: 'admin', get: ['admin.audit.export', exportAudit] },
  { path: at('/admin/usage\\.csv'), who: 'admin', get: ['admin.usage.export', exportUsage] },
  { path: at('/admin/usage'), who: 'admin', get: ['admin.usage.show', showUsage] },
]

/** The pages of a user's own second factors. */
function securityRoutes(own: string): readonly Route[] {
  const base = `${own}/security`
  return [
    { path: at(base), who: 'user', get: ['admin.factors.get', showSecurity] },
    {
      path: at(`${base}/app`),
      who: 'user',
      get: ['admin.app.form', showApp],
      post: ['admin.app.begin', beginApp],
    },
    { path: at(`${base}/app/confirm`), who: 'user', post: ['admin.app.confirm', confirmApp] },
    { path: at(`${base}/app/remove`), who: 'user', post: ['admin.app.remove', removeApp] },
    {
      path: at(`${base}/codes`),
      who: 'user',
      get: ['admin.recovery-codes.get', showCodes],
      post: ['admin.recovery-codes.create', createCodes],
    },
    { path: at(`${base}/passkeys`), who: 'user', post: ['admin.passkeys.create', addPasskey] },
    {
      path: at(`${base}/passkeys/(?<passkey>[1-9]\\d{0,15})/remove`),
      who: 'user',
      post: ['admin.passkeys.remove', removePasskey],
    },
  ]
}

/** The page that has the form for this path. */
export function formPage(path: string): string {
  const security = /^\/admin\/users\/\d+\/security(?=\/)/.exec(path)?.[0]
  if (security !== undefined) return path.endsWith('/app/confirm') ? `${security}/app` : security
  if (path === '/admin/sign-in/passkey') return '/admin/sign-in'
  return /^\/admin\/users\/\d+(?=\/)/.exec(path)?.[0] ?? (path === '/admin/sign-out' ? '/admin/' : path)
}

function at(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`)
}
