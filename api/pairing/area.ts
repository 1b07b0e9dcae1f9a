// Pairing this device with another one, as administrators do it.

import type { Static } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { NO_IDENTITY } from '../../machines/identity/no-identity.ts'
import { pairingChanged } from '../../machines/pairing/events.ts'
import { Pairing, PairingConfirmation, PairingOrder, typedCode } from '../../machines/pairing/pairing.ts'
import { baseOf } from '../../machines/peers/peer.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area, type Call } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault, invalidBody } from '../problems/problem.ts'
import { pairingExample, pairingView } from './view.ts'

const PATH = '/v1/peers/pairing'
const access = 'administer'
const answer = { schema: Pairing, example: pairingExample }

export const pairingArea = areaOf({ identity: IDENTITY }, ({ identity }) =>
  area('pairing', 'Two devices that are to trust each other, by a code that people compare.', [
    read('GET', PATH, {
      summary: 'How far pairing is',
      about: 'The event `pairing_changed` tells when to look again.',
      access,
      answer: Pairing,
      example: pairingExample,
      get: ({ directory }) => pairingView(directory),
      faults: ['actor.unavailable'],
    }),

    command('POST', PATH, {
      summary: 'Begin to pair this device with another one',
      about: oneLine`
        With \`{}\` this device waits for two minutes to be called, which takes that it is served over TLS. With the
        \`base_url\` of a device that waits, it calls that one. Then both show a code of six digits. What was begun
        before ends, as with DELETE. Answers at once.
      `,
      access,
      publishes: [pairingChanged],
      to: 'pairing' as const,
      body: { schema: PairingOrder, example: { base_url: 'https://10.12.34.11:5801' } },
      send: (call) => {
        const own = identity.now()
        return isFault(own) ? own : orderOf(call)
      },
      answer: { ...answer, of: ({ directory }) => pairingView(directory) },
      faults: [...NO_IDENTITY, 'pairing.no_tls'],
    }),

    command('POST', `${PATH}/confirm`, {
      summary: 'Confirm that the other device shows the right code',
      about: oneLine`
        On both devices, each with what the other one shows; it is compared here and never sent. When both have
        confirmed, each enters the certificate of the other in its trust list, and the one that called registers the
        other as a peer. A wrong code ends it, and nobody is trusted.
      `,
      access,
      publishes: [pairingChanged],
      to: 'pairing' as const,
      body: { schema: PairingConfirmation, example: { code: '271 828' } },
      send: ({ body }) => ({ type: 'pairing.confirm', code: typedCode(body.code) }),
      answer: { ...answer, of: ({ directory }) => pairingView(directory) },
      faults: ['pairing.no_code', 'pairing.wrong_code'],
    }),

    command('DELETE', PATH, {
      summary: 'Do not pair',
      about: oneLine`
        Ends what is under way; nobody is trusted. The other device hears of it within a second or two; where it
        cannot be reached, it notices after ten.
      `,
      access,
      publishes: [pairingChanged],
      to: 'pairing' as const,
      send: () => ({ type: 'pairing.close' }),
    }),
  ]),
)

function orderOf({ directory, body }: Call<never, unknown, Static<typeof PairingOrder>>): Command<'pairing'> | Fault {
  const { base_url, name = null } = body
  if (base_url === undefined) {
    if (name !== null) return invalidBody({ pointer: '/name', message: 'goes with `base_url` only; leave it out' })
    const isOverTls = directory.parts().some((part) => part.name === 'https')
    return isOverTls ? { type: 'pairing.open', atMs: monotonicMs(directory.clock) } : NO_TLS
  }
  const base = placeIn(base_url)
  return isFault(base) ? base : { type: 'pairing.begin', callee: { base_url: base, name } }
}

/** Without TLS there are no certificates to be paired by. */
const placeIn = (base_url: string): string | Fault => {
  const found = baseOf(base_url, true)
  if ('wrong' in found) return invalidBody({ pointer: '/base_url', message: found.wrong })
  if (found.base.startsWith('https:')) return found.base
  return invalidBody({
    pointer: '/base_url',
    message: oneLine`
      must begin with https://, since devices are paired by their certificates; the port of HTTPS is another one than
      that of HTTP
    `,
  })
}

const NO_TLS = fault(
  'pairing.no_tls',
  oneLine`
    this device is not served over TLS, so that no other one could call it safely. Start it with --tls (VEDETTE_TLS),
    for example --tls 0.0.0.0:5801; or begin on this device, and open pairing on the other one
  `,
)
