// A robot program changes the lights of its camera's device over real sockets: what shines, what the API says of it,
// and who has the lights when others want them too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LightingState } from '../../machines/lighting/state.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { systemClock } from '../../native/clock/system.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import { FakeLights } from '../../native/lighting/fake.ts'
import { LIGHTS } from '../../native/lighting/port.ts'
import { NT4 } from '../../native/nt4/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { listeningApi } from '../support/api/api.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { nt4Lab } from '../support/nt4/nt4.ts'
import { wsNt4 } from '../support/nt4/ws-nt4.ts'
import { until } from '../support/until.ts'

/** What of the bytes of the made-up lamps shows a group: the ring has 16 pixels of three colours. */
const BYTES = { ring: [0, 48], left: [48, 49], right: [49, 50], status: [50, 53] } as const
/** Full white, of which outputs get the share that is delivered: 0.8 of 255. */
const FULL = 204

const begun = async () => {
  const t = fileLifetime()
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const lights = new FakeLights()
  const { url, fake } = await listeningApi(
    t,
    {},
    {
      engines: fakeEngines({ nowUs: systemClock.monotonicUs }),
      options: { nt4: `127.0.0.1:${server.port}` },
      ports: [value(CLOCK, systemClock), value(NT4, wsNt4), value(LIGHTS, lights)],
    },
  )
  await fake.addStream({ id: 'front', source: { backend: 'images', path: '/pictures', fps: 30 } })
  const robot = await lab.connect(server.port, 'robot')
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  // what starts shows itself until there is a server that is a part of the service, which this one is not
  const { status } = await send('/v1/device/lighting/config', {
    signals: { starting: null, link_lost: null, target_seen: null, update_runs: null },
  })
  assert.equal(status, 204)
  const handle = robot.publish('/limelight/ledMode', 'double')
  return { url, lights, lab, server, send, write: (mode: number) => robot.write([[handle, mode]]) }
}

const { url, lights, lab, server, send, write } = await begun()

/** What shines of a group now. */
const seen = (group: keyof typeof BYTES): readonly number[] => [
  ...(lights.held?.seen() ?? new Uint8Array(53)).subarray(...BYTES[group]),
]

const state = async (): Promise<LightingState> => {
  const response = await fetch(`${url}/v1/device/lighting/state`)
  assert.equal(response.status, 200)
  return (await response.json()) as LightingState
}

const groupNamed = async (name: string) => {
  const found = (await state()).groups.find(({ group }) => group === name)
  assert.ok(found)
  return found
}

const isAll = (values: readonly number[], wanted: number) => values.every((each) => each === wanted)

test('what a robot writes to ledMode shines, and the state says who has the light and why', async () => {
  await until(
    'dark',
    () => seen('ring'),
    (ring) => isAll(ring, 0),
  )

  write(3)

  await until(
    'light',
    () => seen('ring'),
    (ring) => isAll(ring, FULL),
  )
  const { holder, colours } = await groupNamed('ring')
  assert.deepEqual([holder?.owner, holder?.kind, holder?.shows], ['robot:front', 'robot', 'on'])
  assert.match(holder?.why ?? '', /robot program has set ledMode to 3/)
  assert.deepEqual(colours, Array(16).fill('#ffffff'))
})

test('one half alone shines, and the other is dark and held all the same', async () => {
  write(4)

  await until(
    'the left half',
    () => [...seen('left'), ...seen('right')],
    ([left, right]) => left === FULL && right === 0,
  )
  assert.equal((await groupNamed('right')).holder?.owner, 'robot:front')

  write(5)

  await until(
    'the right half',
    () => [...seen('left'), ...seen('right')],
    ([left, right]) => left === 0 && right === FULL,
  )
})

test('a light that blinks is on and off by turns', async () => {
  write(2)

  for (const wanted of [FULL, 0, FULL, 0])
    await until(
      `${wanted}`,
      () => seen('ring'),
      (ring) => isAll(ring, wanted),
    )
  assert.equal((await groupNamed('ring')).holder?.shows, 'blink')
})

test('a command waits for the robot, has the light when the robot leaves it, and can be put above it', async () => {
  write(1)
  await until(
    'dark',
    () => seen('ring'),
    (ring) => isAll(ring, 0),
  )

  const answer = await send('/v1/device/lighting', { command: 'colour', colour: '#00ff00', group: 'ring' })

  assert.equal(answer.status, 204)
  const waiting = await groupNamed('ring')
  assert.deepEqual([waiting.holder?.owner, waiting.waiting.map(({ owner }) => owner)], ['robot:front', ['person']])
  assert.ok(isAll(seen('ring'), 0))

  await send('/v1/device/lighting', { command: 'colour', colour: '#00ff00', group: 'ring', priority: 60 })
  await until(
    'green',
    () => seen('ring').slice(0, 3),
    (pixel) => pixel.join() === [0, FULL, 0].join(),
  )
  assert.equal((await groupNamed('left')).holder?.owner, 'robot:front', 'the other groups stay with the robot')

  await send('/v1/device/lighting', { command: 'off', ttl_ms: 0 })
  await until(
    'dark again',
    () => seen('ring'),
    (ring) => isAll(ring, 0),
  )
})

test('a robot that is not heard any more has no light, and has it back with the next link', async () => {
  write(3)
  await until(
    'light',
    () => seen('ring'),
    (ring) => isAll(ring, FULL),
  )

  await lab.end(server)

  await until(
    'dark',
    () => seen('ring'),
    (ring) => isAll(ring, 0),
  )
  assert.equal((await groupNamed('ring')).holder, null)

  await lab.serve({ port: server.port })
  await until(
    'light again',
    () => seen('ring'),
    (ring) => isAll(ring, FULL),
  )
})
