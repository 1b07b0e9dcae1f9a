// Signing in: a browser shows the administrator's token once, and is known by a cookie from then on.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCESS_CLASSES, type AccessPolicy, classesOpenTo, PROFILES } from '../../machines/http/access.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { token } from '../../machines/token.ts'
import { sendEmpty } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { sendProblem } from '../problems/problem.ts'
import { type Caller, type Identification, isSecure } from './caller.ts'
import { setCookie } from './cookie.ts'
import { askerOf } from './refusal.ts'
import type { WrongTokens } from './wrong-tokens.ts'

/** What signing in takes. */
export interface SignIn extends Identification {
  readonly policy: AccessPolicy
  readonly wrongTokens: WrongTokens
}

const strict = { additionalProperties: false } as const

const SessionView = Type.Object(
  {
    profile: Type.Enum([...PROFILES], {
      description:
        'How the service was started. bench: it listens to this machine alone. field: it listens to a network, and ' +
        'is open on private ones. locked: everything but its page takes a token.',
    }),
    identified_by: Type.Enum(['nothing', 'token', 'session', 'peer'], {
      description:
        'nothing: nobody knows who it is. token: the Authorization header of this request. session: the cookie of a ' +
        'browser that is signed in. peer: a device that is trusted, by its certificate or its token.',
    }),
    may: Type.Array(Type.Enum(ACCESS_CLASSES.filter((each) => each !== 'open')), {
      description:
        'The access classes that are open to whoever sent this request. read: status, streams, pictures. operate: ' +
        'streams, pipelines, settings. administer: what the device is and whom it trusts. console: a shell. peer: ' +
        'what other devices see and do here.',
    }),
    expires_at_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'When the session ends by itself, Unix time; null without one.',
    }),
  },
  { ...strict, title: 'Session', description: 'Who sent this request, and what is open to him.' },
)

const Credentials = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 512, description: "The administrator's token of this device." }),
  },
  { ...strict, title: 'Credentials', description: 'What a browser signs in with.' },
)

/** How people sign in to this device. */
export const SIGN_IN = token<SignIn>('sign-in')

export const sessionArea = areaOf({ signIn: SIGN_IN }, ({ signIn }) =>
  area('session', 'Who asks, and signing in with a browser.', [
    read('GET', '/v1/session', {
      summary: 'Who am I, and what may I do',
      about: 'Open to everybody.',
      access: 'open',
      answer: SessionView,
      example: {
        profile: 'locked',
        identified_by: 'session',
        may: ['read', 'operate', 'administer', 'peer'],
        expires_at_ms: 1_769_817_600_000,
      },
      get: ({ request }) => viewOf(request, signIn.policy),
    }),

    custom('POST', '/v1/session', {
      because: 'it sets a cookie and asks no actor',
      summary: 'Sign in',
      about: oneLine`
        For browsers; programs send the token with each request. Takes the token and answers with a session cookie
        (HttpOnly, SameSite=Strict; over TLS Secure and \`__Host-\`), good for 30 days, until it is signed out, or
        until this device has another token. Of more than 32 sessions the oldest end. With the cookie pages of this
        device may do whatever the token may; what is not a read counts only with an \`Origin\` or \`Sec-Fetch-Site\`
        that says that it comes from there. In the profile bench there is no token, and nobody has to sign in.
      `,
      access: 'open',
      body: { schema: Credentials, example: { token: 'Qm9hcmRpbmctcGFzcy1mb3ItdGhlLXJv' } },
      answer: { status: 'empty', headers: { 'Set-Cookie': 'The session.' } },
      serve: async ({ body, request }, reply) => {
        const opened = (await signIn.verifyToken(body.token)) ? signIn.sessions.open() : undefined
        if (!opened) return sendProblem(reply, await signIn.wrongTokens.refusal(request.ip, reply))
        if (request.caller.session) signIn.sessions.close(request.caller.session) // the browser forgets it
        await signIn.sessions.kept()
        const { secret, session } = opened
        return sendCookie(reply, setCookie(secret, session.expires_at_ms - session.opened_at_ms, isSecure(request)))
      },
    }),

    custom('DELETE', '/v1/session', {
      because: 'it takes a cookie back and asks no actor',
      summary: 'Sign out',
      about: oneLine`
        Ends the session of the cookie, and the pictures and feeds that are open because of it, as the end of its 30
        days does. Without one, nothing happens.
      `,
      access: 'open',
      answer: { status: 'empty', headers: { 'Set-Cookie': 'Makes the browser forget the session.' } },
      serve: async ({ request }, reply) => {
        if (request.caller.session) signIn.sessions.close(request.caller.session)
        await signIn.sessions.kept() // or the power goes, and the cookie is good again
        return sendCookie(reply, setCookie('', 0, isSecure(request)))
      },
    }),
  ]),
)

const sendCookie = (reply: FastifyReply, cookie: string): FastifyReply =>
  sendEmpty(reply.header('set-cookie', cookie).header('cache-control', 'no-store'), null)

const viewOf = (request: FastifyRequest, policy: AccessPolicy) => ({
  profile: policy.profile,
  identified_by: identifiedBy(request.caller),
  may: classesOpenTo(policy, askerOf(request)),
  expires_at_ms: request.caller.session?.expires_at_ms ?? null,
})

const identifiedBy = ({ token, session, peer }: Caller): string => {
  if (peer) return 'peer'
  if (session) return 'session'
  return token === 'valid' ? 'token' : 'nothing'
}
