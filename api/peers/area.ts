// Other devices: the registered ones, their links, what they have, and requests to them.

import { isFault } from '../../machines/errors/fault.ts'
import { NO_IDENTITY } from '../../machines/identity/no-identity.ts'
import { peerChanged } from '../../machines/peers/events.ts'
import { PeerId, PeerRegistration, peerCollection } from '../../machines/peers/peer.ts'
import { PeerRecord } from '../../machines/peers/peer-record.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { deleteOrder } from '../../machines/settings/commit.ts'
import { listRevisionOf } from '../../machines/settings/store.ts'
import { areaOf } from '../endpoints/area.ts'
import { command, Done } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { forwardedRows } from './forwarded-rows.ts'
import { byEitherId } from './listed-id.ts'
import { type PeerApiParts, peerExample, peerNeeds, registrationExample } from './wire.ts'

const params = { id: PeerId }

const ForgottenPeer = Type.Object(
  {
    id: PeerId,
    revision: Type.Integer({ minimum: 1, description: 'The one that it would have had.' }),
  },
  { additionalProperties: false, title: 'ForgottenPeer', description: 'A peer that is not registered any more.' },
)

export const peerArea = areaOf(peerNeeds, (parts) =>
  area('peers', 'Other devices, and what they have.', [...peerRows(parts), ...forwardedRows(parts).map(byEitherId)]),
)

const peerRows = ({ peers, register }: PeerApiParts) => {
  const recordOf = (id: string) => peers.get(id)?.record() ?? peerCollection.notFound(id)
  return [
    list('GET', '/v1/peers', {
      summary: 'All peers',
      about: 'Those that are registered, whether they can be reached or not.',
      name: 'PeerList',
      item: PeerRecord,
      example: peerExample,
      order: 'In the order of their registration.',
      items: () => peers.all(),
      keyOf: ({ id }) => id,
      show: (peer) => peer.record(),
      revision: ({ directory }) => listRevisionOf(directory.settings, peerCollection),
    }),

    command('POST', '/v1/peers', {
      summary: 'Register a peer',
      about: oneLine`
        The device is greeted, which takes up to 2.5 s: what answers as one of this kind is linked from then on, what
        answers otherwise is \`legacy\`, also where it was said to be native. One that does not answer is registered
        too; one that is said to be of another kind is greeted only because it might be this device itself. A device
        that is registered already, by its address or its \`device_id\`, stays one peer: it is changed by what the
        body says, and answered. An address that leads to this device itself, redirects, or has another certificate
        than said is refused.
      `,
      access: 'administer',
      publishes: [peerChanged],
      to: 'settings',
      body: { schema: PeerRegistration, example: registrationExample },
      send: async ({ body, mark }) => {
        const registered = await register(body, mark)
        return isFault(registered) ? registered : new Done(registered)
      },
      answer: {
        status: 'created',
        schema: PeerRecord,
        example: peerExample,
        canBeGone: true,
        of: (_, { id }) => peers.get(id)?.record(),
        location: ({ id }: { readonly id: string }) => `/v1/peers/${id}`,
      },
      faults: [...NO_IDENTITY, 'peer.self', 'peer.not_found'],
    }),

    read('GET', '/v1/peers/:id', {
      params,
      summary: 'One peer',
      answer: PeerRecord,
      example: peerExample,
      about: oneLine`
        What it has is shown as it was when it was read; \`stale\` and \`synced_at_ms\` tell whether that may be
        different by now.
      `,
      get: ({ params: { id } }) => recordOf(id),
      faults: ['peer.not_found'],
    }),

    command('DELETE', '/v1/peers/:id', {
      params,
      summary: 'Forget a peer',
      about: 'Its link and all that goes through it ends at once, and its token is forgotten.',
      access: 'administer',
      publishes: [peerChanged],
      conditional: true,
      to: 'settings',
      send: ({ params: { id }, expected }) => {
        const found = recordOf(id)
        return isFault(found) ? found : deleteOrder(peerCollection, id, expected)
      },
      answer: {
        schema: ForgottenPeer,
        example: { id: 'back', revision: 3 },
        of: (_, { id, revision }) => ({ id, revision }),
      },
      faults: ['peer.not_found'],
    }),
  ]
}
