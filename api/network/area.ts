// The networks of the device: shown, changed on trial, and confirmed.
import type { FastifyRequest } from 'fastify'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { NETWORK_CHANGE, NETWORK_LOOK } from '../../actors/network/tokens.ts'
import { NT4_SETTINGS } from '../../actors/nt4/tokens.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { NetworkChange } from '../../machines/network/change.ts'
import { networkChanged } from '../../machines/network/events.ts'
import { nt4LinkStatus } from '../../machines/nt4/nt4-link-machine.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { addressesToAsk, NetworkView, networkExample, networkView } from './view.ts'

const LIMIT_MS = 15_000 // others in the network are asked for the address, and a card under load takes its time

const needs = { look: NETWORK_LOOK, news: NETWORK_CHANGE, settings: NT4_SETTINGS, directory: DIRECTORY }

export const networkArea = areaOf(needs, ({ look, news, settings, directory: { clock } }) =>
  area('network', 'The networks of the device.', [
    read('GET', '/v1/device/network', {
      summary: 'The networks of the device',
      about: oneLine`
        What the system says now, whoever looks after its networks. Where nothing can be changed, \`refusal\` says why.
        Whether the robot is reached is known from the link to it; all others are asked on demand.
      `,
      query: {
        check: Type.Optional(
          Type.Enum(['true', 'false'], {
            description: 'true: asks the devices of the team once each, which takes up to two seconds.',
          }),
        ),
      },
      answer: NetworkView,
      example: networkExample,
      get: async ({ directory, query: { check } }) => {
        const reading = await look.read()
        if (isFault(reading)) return reading
        const { team } = settings().value
        const answered = check === 'true' ? await look.reach(addressesToAsk(team)) : new Map()
        const nowUs = clock.monotonicUs()
        return networkView({ reading, team, linkedTo: linkedTo(directory), answered, news: news.value, nowUs })
      },
      faults: ['device.failed'],
    }),

    command('POST', '/v1/device/network', {
      summary: 'Change an interface, on trial',
      about: oneLine`
        Answers when the order is on the disk, half a second before anything changes: the address of who asks may go.
        Then the change is in force, and a job of the kind \`network_change\` waits for \`POST
        /v1/device/network/confirm\` at the new address; it is \`waiting-user\`. Without that, when it fails, or when
        the job is deleted, everything is as before. Profiles of others are never changed. Where nobody can change the
        network the answer is 502 with the reason.
      `,
      access: 'administer',
      to: 'network',
      publishes: [networkChanged],
      body: {
        schema: NetworkChange,
        example: { interface: 'eth0', method: 'static', address: '10.12.34.11', prefix: 24, gateway: '10.12.34.4' },
      },
      limitMs: LIMIT_MS,
      send: ({ body, request }) => ({ type: 'network.change', change: body, over: addressUnder(request) }),
      faults: [
        ...(['device.failed', 'job.too_many'] as const),
        ...(['storage.failed', 'storage.full', 'storage.in_use', 'storage.unavailable'] as const),
      ],
    }),

    command('POST', '/v1/device/network/confirm', {
      summary: 'Keep a change of the network',
      about: oneLine`
        It counts when it arrives at an address that the interface has now, and so shows that somebody reaches the
        device there; or at the one over which the change was ordered, when that belongs to another interface. Over an
        address that the change took away it does not.
      `,
      to: 'network',
      publishes: [networkChanged],
      limitMs: LIMIT_MS,
      send: ({ request }) => ({ type: 'network.confirm', over: addressUnder(request) }),
      faults: ['network.nothing_waits', 'network.wrong_way', 'network.undone', 'device.failed'],
    }),
  ]),
)

/** Over which address of this device a request came. */
const addressUnder = ({ raw: { socket } }: FastifyRequest): string => socket.localAddress ?? '127.0.0.1'

const linkedTo = ({ actor }: Directory): string | null => {
  const link = actor('nt4-link')?.getSnapshot()
  if (!link) return null
  const { state, address } = nt4LinkStatus(link)
  return state === 'connected' ? address : null
}
