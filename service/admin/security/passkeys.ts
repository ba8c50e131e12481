import { createdPasskey } from '../../identity/passkey.js'
import { isName } from '../../identity/rules.js'
import { mostPasskeys } from '../../storage/tables/identity/passkeys.js'
import { nameFault } from '../users/settings-form.js'
import type { Area, PageResult, SignedIn } from '../visit.js'
import { withFirstCodes } from './codes.js'
import { fresh, longestPasskeyName, securityPage, securityPath } from './security.js'

/** Stores the passkey that the browser has created. */
export function addPasskey(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    const { user, form, origin, actor } = visit
    const name = form.get('passkey_name') ?? ''
    if (!isName(name, longestPasskeyName)) {
      const faults = { passkey_name: nameFault('a name', name, longestPasskeyName) }
      return securityPage(area, visit, { status: 422, name, faults })
    }
    const created = await createdPasskey(form.get('passkey') ?? '', user, name, origin, area.signer)
    if (created === undefined) {
      return securityPage(area, visit, {
        status: 422,
        name,
        fault:
          'The passkey was not added: the answer of the browser was not valid, or came too late. Try again.',
      })
    }
    if (!(await area.passkeys.add(actor, user.id, created))) {
      return securityPage(area, visit, {
        status: 409,
        name,
        fault: `The passkey was not added: it is stored already, or you have ${mostPasskeys} passkeys.`,
      })
    }
    return await withFirstCodes(area, visit, 'passkey')
  })
}

export function removePasskey(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    await area.passkeys.remove(visit.actor, visit.user.id, Number(visit.named.passkey))
    return { to: `${securityPath(visit.user.id)}?done=passkey-gone` }
  })
}
