// The trust list: which other devices may see and do what is meant for devices.

import { randomBytes } from 'node:crypto'
import { askNow, DISK_LIMIT } from '../../actors/ask.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import { documentOf } from '../../machines/settings/store.ts'
import type { Given } from '../../machines/token.ts'
import { trustChanged } from '../../machines/trust/events.ts'
import { isExpired, type TrustEntry, trustCollection } from '../../machines/trust/trust-entry.ts'
import { idOfCertificate, idOfToken } from '../../machines/trust/trust-id.ts'
import { IDENTITY, keptIdentity } from '../../native/identity/port.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { resource, type View } from '../endpoints/resource.ts'
import { fault, invalidBody } from '../problems/problem.ts'
import { hashOfToken } from '../session/trusted-peers.ts'
import { createdOf, orderExample, TrustOrder, TrustSpec, TrustStatus, trustExample } from './wire.ts'

const PATH = '/v1/peers/trust'
const needs = { directory: DIRECTORY, identity: IDENTITY }
type Parts = Given<typeof needs>

export const trustArea = areaOf(needs, (parts) => {
  const { settings, clock } = parts.directory
  const trust = resource(PATH, {
    collection: trustCollection,
    title: 'Trust',
    about: 'Another device, as far as it is trusted here.',
    spec: TrustSpec,
    status: TrustStatus,
    example: trustExample,
    specOf: ({ token_hash: _, created_at_ms: __, pairing_id: ___, ...spec }) => spec,
    statusOf: (id) => {
      const entry = documentOf(settings, trustCollection, id)?.value
      return entry && statusOf(entry, clock.nowMs())
    },
  })
  return area('trust', 'Which other devices are trusted.', [
    trust.list({
      summary: 'All devices that are trusted',
      access: 'administer',
      order: 'In the order in which they were entered.',
    }),

    trust.read({ summary: 'A device that is trusted', access: 'administer' }),

    custom('POST', PATH, {
      because: 'its answer holds a token, and answers to commands are kept for those who repeat them',
      summary: 'Trust another device',
      about: oneLine`
        By the fingerprint of its certificate (\`client_fingerprint\` of \`GET /v1/interdevice/hello\` of that device,
        compared with what is shown there), or, without one, by a token that is made now. The token is told in this
        answer and never again: of it only a hash is kept. It counts over TLS, and over plain HTTP from this device
        itself. Who is trusted may do what is of the class \`peer\`, and nothing else. Whoever does not get the answer
        deletes the entry and asks again.
      `,
      access: 'administer',
      body: { schema: TrustOrder, example: orderExample },
      publishes: [trustChanged],
      answer: {
        status: 'created',
        mediaType: 'application/json',
        schema: createdOf(trust.document),
        example: { ...trustExample, revision: 1, token: null },
        headers: { Location: 'Where it is found from now on.' },
      },
      serve: async (call, reply) => {
        const made = await entered(parts, call.body)
        const view = isFault(made) ? made : trust.viewAt(call, made.id)
        if (isFault(made) || isFault(view)) return sendDocument(reply, 'created', view)
        reply.header('location', `${PATH}/${made.id}`)
        return sendDocument(reply, 'created', { ...(view as View), token: made.token })
      },
      faults: [
        ...(['actor.ended', 'actor.not_now', 'actor.timeout', 'actor.unavailable', 'document.exists'] as const),
        ...(['document.invalid', 'document.too_many', 'trust.not_found'] as const),
        ...(['storage.failed', 'storage.full', 'storage.in_use', 'storage.unavailable'] as const),
      ],
    }),

    trust.delete({
      summary: 'Trust a device no longer',
      about: 'Whatever it has open here is closed at once.',
      access: 'administer',
    }),
  ])
})

const TOKEN_BYTES = 32

/** token: in the clear; null: it goes by its certificate. */
interface Entered {
  readonly id: string
  readonly token: string | null
}

const entered = async ({ directory, identity }: Parts, order: TrustOrder): Promise<Entered | Fault> => {
  const { name, fingerprint = null, device_id = null, expires_at_ms = null } = order
  const nowMs = directory.clock.nowMs()
  if (fingerprint === keptIdentity(identity)?.fingerprint)
    return invalidBody({ pointer: '/fingerprint', message: 'is that of this device itself' })
  if (isExpired({ expires_at_ms }, nowMs))
    return invalidBody({ pointer: '/expires_at_ms', message: `is not later than now, which is ${nowMs}` })
  const token = fingerprint === null ? randomBytes(TOKEN_BYTES).toString('base64url') : null
  const id = fingerprint === null ? idOfToken(randomBytes(8).toString('hex')) : idOfCertificate(fingerprint)
  const token_hash = token === null ? null : hashOfToken(token)
  const entry = { name, fingerprint, token_hash, device_id, expires_at_ms, created_at_ms: nowMs }
  const actor = directory.actor('settings')
  if (!actor) return fault('actor.unavailable', 'the settings are being restarted; try again in a second')
  const reply = await askNow(actor, putOrder(trustCollection, id, entry, { create_only: true }), DISK_LIMIT)
  return reply.outcome === 'done' ? { id, token } : reply.fault
}

const statusOf = (entry: TrustEntry, nowMs: number) => ({
  by: entry.fingerprint === null ? ('token' as const) : ('certificate' as const),
  state: isExpired(entry, nowMs) ? ('expired' as const) : ('trusted' as const),
  created_at_ms: entry.created_at_ms,
})
