// Why a request is not allowed, in words.

import type { FastifyRequest } from 'fastify'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type AccessClass,
  type AccessPolicy,
  type Asker,
  accessFault,
  isPrivateAddress,
} from '../../machines/http/access.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { fault } from '../problems/problem.ts'

/** What accessFault can find. */
type Refusal = NonNullable<ReturnType<typeof accessFault>>

/** Who asks, as the policy sees it. */
export const askerOf = ({ caller: { token, peer, plugin }, ip }: FastifyRequest): Asker => ({
  token,
  granted: plugin?.granted ?? null,
  isPeer: peer !== null,
  address: ip,
})

/**
 * The sentence for a refusal. unproven: a browser that is signed in asks, but nothing proves that one of our pages sent
 * it.
 */
export const refusalSentence = (
  code: Exclude<Refusal, 'token.invalid'>,
  unproven: boolean,
  policy: AccessPolicy,
): string => sentences[unproven && code === 'token.required' ? 'unproven' : code](policy)

/**
 * Why a request may not do what takes an administrator; undefined: it may. For what a row decides by what is in the
 * body.
 *
 * what: the beginning of the sentence, up to its colon.
 */
export const administratorFault = (policy: AccessPolicy, request: FastifyRequest, what: string): Fault | undefined => {
  const access: AccessClass = 'administer'
  // to be a device gives nobody more here, or less
  const code = accessFault(policy, access, { ...askerOf(request), isPeer: false })
  if (code === undefined || code === 'token.invalid') return undefined // a wrong token has been refused before
  return fault(code, `${what}: ${refusalSentence(code, request.caller.unproven, policy)}`)
}

/**
 * Why a request may not have this device call an address: one outside of private networks takes an administrator, else
 * the device would let strangers into other networks.
 */
export const foreignAddressFault =
  (policy: AccessPolicy, request: FastifyRequest) =>
  (address: string): Fault | undefined =>
    isPrivateAddress(address)
      ? undefined
      : administratorFault(
          policy,
          request,
          `${address} lies outside of private networks, so that it takes an administrator`,
        )

const sentences = {
  'token.required': ({ profile }) =>
    oneLine`
      in the profile ${profile} this needs a token: send "Authorization: Bearer <token>", or sign in on the first page
      of this device
    `,
  unproven: () =>
    oneLine`
      a browser that is signed in may do this from the pages of this device only, and nothing says that this came from
      one (Origin, Sec-Fetch-Site)
    `,
  'trust.not_here': () =>
    oneLine`
      a device that is trusted reaches what lies under /v1/interdevice and nothing else; people have the token of the
      administrator
    `,
  'plugin.not_granted': () =>
    oneLine`
      a plugin may do what its manifest asked for and an administrator granted: read, or operate, and no more than that
    `,
  'console.off': ({ profile }) =>
    oneLine`
      in the profile ${profile} nobody has a shell until an administrator of this device turns it on: start the service
      with --console on (VEDETTE_CONSOLE=on)
    `,
} satisfies Record<string, (policy: AccessPolicy) => string>
