import { ProblemError } from 'duet-runtime'
import { checkedSignIn, credentialIn } from '../../identity/passkey.js'
import { localPath } from '../form.js'
import type { Area, PageResult, Visit } from '../visit.js'
import { limited } from './limited.js'
import { openSession } from './open-session.js'
import { signInPath } from './sign-in-path.js'

export const signInPurpose = 'sign in'

/** Signs in with a passkey alone: the authenticator has checked its user. */
export async function signInWithPasskey(area: Area, visit: Visit): Promise<PageResult> {
  const next = localPath(visit.form.get('next'))
  const answer = visit.form.get('passkey') ?? ''
  try {
    const opened = await area.attempt(visit.request, {}, async () => {
      const passkey = await area.passkeys.find(credentialIn(answer) ?? '')
      const found = passkey && (await area.userOf(passkey.userId))
      if (passkey === undefined || found === undefined) return undefined
      const checked = await checkedSignIn(answer, passkey, signInPurpose, visit.origin, area.signer)
      if (checked === undefined) return undefined
      if (!(await area.passkeys.used(passkey.id, checked.counter, checked.challenge))) return undefined
      return await openSession(area, visit, found, next, 'passkey')
    })
    return opened ?? { to: signInPath(next, 'key'), status: 403 }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'rate_limited') throw error
    return limited(signInPath(next, 'limited'), error)
  }
}
