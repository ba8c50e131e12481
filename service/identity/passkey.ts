import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { NewPasskey, PasskeyRecord } from '../storage/tables/identity/passkeys.js'
import type { StepSigner } from './step-signer.js'

/** The name of the host whose passkeys a page can use. Undefined: browsers keep no passkeys for addresses. */
export function passkeyHost(origin: string): string | undefined {
  const { hostname } = new URL(origin)
  return hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0 ? undefined : hostname
}

/** What the browser is asked for to create a passkey (WebAuthn, section 5.4), as JSON. */
export async function creationOptions(
  { id, login }: { readonly id: number; readonly login: string },
  rpId: string,
  known: readonly PasskeyRecord[],
  signer: StepSigner,
): Promise<string> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Billing administration',
    rpID: rpId,
    userName: login,
    userDisplayName: login,
    userID: new Uint8Array(Buffer.from(`user ${id}`)),
    challenge: new Uint8Array(signer.challenge(`create ${id}`)),
    timeout: timeoutMs,
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return JSON.stringify(options)
}

/** What the browser is asked for to sign in (WebAuthn, section 5.5), as JSON. Without `known` any passkey may answer. */
export async function signInOptions(
  rpId: string,
  purpose: string,
  signer: StepSigner,
  known: readonly PasskeyRecord[] = [],
): Promise<string> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: new Uint8Array(signer.challenge(purpose)),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
  })
  return JSON.stringify(options)
}

/** The passkey of a browser's answer to {@link creationOptions}. Undefined: the answer is not valid. */
export async function createdPasskey(
  answer: string,
  user: { readonly id: number },
  name: string,
  origin: string,
  signer: StepSigner,
): Promise<NewPasskey | undefined> {
  const rpId = passkeyHost(origin)
  const response = parsed<RegistrationResponseJSON>(answer)
  if (rpId === undefined || response === undefined) return undefined
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) =>
        signer.isChallenge(`create ${user.id}`, Buffer.from(challenge, 'base64url')),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    const transports = (response.response.transports ?? [])
      .filter((one) => /^[a-z-]{1,20}$/.test(one))
      .slice(0, 8)
    return { name, credentialId: id, publicKey, counter, transports, rpId }
  } catch {
    // The package throws for every kind of answer that is not valid.
    return undefined
  }
}

/** The credential that an answer to {@link signInOptions} names. */
export function credentialIn(answer: string): string | undefined {
  const id = parsed<{ id?: unknown }>(answer)?.id
  return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? id : undefined
}

/** The new counter and the challenge of a valid answer to {@link signInOptions}. */
export async function checkedSignIn(
  answer: string,
  { credentialId, publicKey, counter, rpId }: PasskeyRecord,
  purpose: string,
  origin: string,
  signer: StepSigner,
): Promise<{ readonly counter: number; readonly challenge: Buffer } | undefined> {
  const response = parsed<AuthenticationResponseJSON>(answer)
  if (response === undefined || passkeyHost(origin) !== rpId) return undefined
  const { verifyAuthenticationResponse } = await library()
  let answered = Buffer.alloc(0)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        answered = Buffer.from(challenge, 'base64url')
        return signer.isChallenge(purpose, answered)
      },
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    })
    return verified ? { counter: authenticationInfo.newCounter, challenge: answered } : undefined
  } catch {
    return undefined
  }
}

/** Loaded when the first page needs it: that takes half a second and 28 MB. */
const library = () => import('@simplewebauthn/server')

/** As long as a challenge is accepted. */
const timeoutMs = 5 * 60_000

function parsed<Value extends object>(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Value) : undefined
  } catch {
    return undefined
  }
}
