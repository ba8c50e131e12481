import { renderSVG } from 'uqr'
import { acceptedStep, base32, makeTotpSecret, totpContext, totpUri } from '../../identity/totp.js'
import { withFaults } from '../form.js'
import type { Area, PageResult, SignedIn } from '../visit.js'
import { withFirstCodes } from './codes.js'
import { fresh, securityPath } from './security.js'

/** Stores a new secret for an authenticator app, and shows it on the next page. */
export function beginApp(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    const { id } = visit.user
    const sealed = area.sealer.seal(makeTotpSecret().toString('base64'), totpContext(id))
    const isBegun = await area.factors.begin(id, sealed)
    return { to: isBegun ? `${securityPath(id)}/app` : securityPath(id) }
  })
}

/** The secret as a QR code and as text, until the user has proved that the app has it. */
export function showApp(area: Area, visit: SignedIn): Promise<PageResult> {
  const isWrong = visit.query.get('done') === 'wrong'
  return fresh(visit, () => appPage(area, visit, isWrong ? { code: wrongCode } : {}))
}

export function confirmApp(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    const { id, login } = visit.user
    const secret = await area.factors.secretOf(id)
    if (secret === undefined || secret.isConfirmed) return { to: securityPath(id) }
    const code = (visit.form.get('code') ?? '').replace(/\s/g, '')
    const step = await area.attempt(visit.request, { subject: `second step ${id}`, login }, async () =>
      acceptedStep(openTotp(area, id, secret.sealed), code, Date.now(), secret.lastStep),
    )
    if (step === undefined) return { to: `${securityPath(id)}/app?done=wrong`, status: 422 }
    await area.factors.confirm(visit.actor, id, secret.sealed, step)
    return await withFirstCodes(area, visit, 'app')
  })
}

const wrongCode = 'This code is wrong. Check the clock of your device.'

export function removeApp(area: Area, visit: SignedIn): Promise<PageResult> {
  return fresh(visit, async () => {
    await area.factors.removeApp(visit.actor, visit.user.id)
    return { to: `${securityPath(visit.user.id)}?done=app-off` }
  })
}

export function openTotp({ sealer }: Pick<Area, 'sealer'>, userId: number, sealed: Uint8Array): Buffer {
  return Buffer.from(sealer.open(sealed, totpContext(userId)), 'base64')
}

async function appPage(
  area: Area,
  { user }: SignedIn,
  faults: Readonly<Record<string, string>>,
): Promise<PageResult> {
  const secret = await area.factors.secretOf(user.id)
  if (secret === undefined || secret.isConfirmed) return { to: securityPath(user.id) }
  const bytes = openTotp(area, user.id, secret.sealed)
  return {
    page: 'app',
    title: 'Set up an authenticator app',
    ...(Object.keys(faults).length > 0 && { status: 422, isAgain: true }),
    data: {
      path: securityPath(user.id),
      qr: renderSVG(totpUri(bytes, user.login, 'Billing'), { border: 2 }),
      secret: (base32(bytes).match(/.{4}/g) ?? []).join(' '),
      fields: withFaults(
        {
          code: {
            label: 'Code from the app',
            hint: 'Six digits.',
            inputmode: 'numeric',
            autocomplete: 'one-time-code',
            isRequired: true,
          },
        },
        faults,
      ),
    },
  }
}
