// Looks at the other vision product, which is a fake that speaks as documented, and at those who are not it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pack } from 'msgpackr'
import type { BaseUrl } from '../../../machines/discovery/base-url.ts'
import { baseUrlOf } from '../../../machines/discovery/base-url.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { DEFAULT_VISION_LIMITS, visionStreamsAt } from '../../../native/discovery/vision.ts'
import { systemLookup } from '../../../native/names/lookup.ts'
import { lateLookup } from '../../support/peers/late-lookup.ts'
import { httpStranger, rawStranger } from '../../support/peers/strangers.ts'
import { pictureServer, visionProduct, visionState } from '../../support/peers/vision-product.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { arrival, until } from '../../support/until.ts'

const PATIENT = { connectMs: 60_000, snapshotMs: 60_000, portMs: 60_000, allMs: 200_000 }

const seenAt = async (at: BaseUrl, { limits = PATIENT, firstPort = 1 } = {}) => {
  const seen = await visionStreamsAt(at, () => undefined, { lookup: systemLookup, limits, firstPort })
  assert.ok(!isFault(seen))
  return seen
}

test('its cameras are those that its page is told, whatever else comes before', async (t) => {
  const noise = [{ metrics: { cpuTemp: 51 } }, { logMessage: 'x' }, 'a text', Uint8Array.from([0xc1]), pack([1, 2])]
  const at = await visionProduct(t, {
    messages: [...noise, visionState({}, { inputStreamPort: 1187, outputStreamPort: 1188 })],
  })

  const { is_extvision, method, product_version, streams } = await seenAt(at)

  assert.deepEqual([is_extvision, method, product_version], [true, 'websocket', 'v2026.3.4'])
  assert.deepEqual(
    streams.map(({ url }) => url),
    [1181, 1182, 1187, 1188].map((port) => `http://127.0.0.1:${port}/stream.mjpg`),
  )
})

/** Two at ports side by side; the first one. Another program may take the second before it is asked for. */
const twoPictureServers = async (t: TestContext): Promise<number> => {
  for (let tries = 0; tries < 20; tries++) {
    const firstPort = await freePort()
    try {
      await pictureServer(t, firstPort)
      await pictureServer(t, firstPort + 1)
      return firstPort
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EADDRINUSE')
    }
  }
  throw new Error('no two ports side by side are free')
}

test('where it does not tell, its ports are looked at', async (t) => {
  const firstPort = await twoPictureServers(t)
  const at = await visionProduct(t, { hasWebSocket: false })

  const { is_extvision, method, streams } = await seenAt(at, { firstPort })

  assert.deepEqual([is_extvision, method], [true, 'ports'])
  assert.deepEqual(
    streams.map(({ id }) => id).slice(0, 2),
    [firstPort, firstPort + 1].map((port) => `extvision:127.0.0.1:${port}`),
  )
})

test('pictures alone do not make it that product', async (t) => {
  const firstPort = await freePort()
  await pictureServer(t, firstPort)

  const seen = await seenAt(baseUrlOf('127.0.0.1', await freePort()), { firstPort })

  assert.deepEqual([seen.is_extvision, seen.method, seen.fault], [false, 'ports', null])
})

test('who is not it, or says too much, is told of', async (t) => {
  const other = await httpStranger(t, (_, response) => void response.writeHead(404).end())
  const flood = await visionProduct(t, {
    messages: Array.from({ length: 40 }, () => new Uint8Array(100_000)),
    hasWebSocket: true,
  })
  const large = await visionProduct(t, { messages: [{ ...visionState({}), more: 'x'.repeat(1_100_000) }] })
  const gone = baseUrlOf('127.0.0.1', await freePort())

  assert.equal((await seenAt(other.at)).fault?.code, 'peer.bad_answer')
  assert.equal((await seenAt(gone)).fault?.code, 'peer.unreachable')
  for (const at of [flood, large]) {
    const { method, is_extvision, streams } = await seenAt(at)
    assert.deepEqual([method, is_extvision, streams], ['ports', true, []])
  }
})

test('one who takes connections and says nothing is told of', async (t) => {
  let asked = 0
  const silent = await rawStranger(t, (socket) => {
    socket.once('data', () => {
      asked += 1
    })
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })

  const looking = seenAt(silent.at)
  await until('the question for all cameras', () => asked === 1)
  t.mock.timers.tick(PATIENT.snapshotMs)
  await until('the questions who it is', () => asked === 3)
  t.mock.timers.tick(PATIENT.portMs)

  assert.equal((await arrival('the end', looking)).fault?.code, 'peer.too_slow')
})

test('it is asked at the address that was judged', async (t) => {
  const at = await visionProduct(t, { messages: [visionState({})] })
  const refused = { code: 'token.required', detail: 'not there' } as const
  const means = { lookup: systemLookup, limits: PATIENT, firstPort: 1 }

  assert.deepEqual(await visionStreamsAt(at, () => refused, means), refused)
})

test('one who is slow in all things is given up in time, and his ports were looked at', async (t) => {
  const { lookup, found, tick, nowMs } = lateLookup(t)
  let asked = 0
  const slow = await rawStranger(t, (socket) => {
    socket.once('data', () => {
      asked += 1
    })
  })
  const at = baseUrlOf('vision.test', slow.at.port)
  const looking = visionStreamsAt(at, () => undefined, { lookup, limits: DEFAULT_VISION_LIMITS, firstPort: 1, nowMs })

  tick(1_400)
  found('127.0.0.1')
  await until('the question for all cameras', () => asked === 1)
  tick(1_500)
  await until('the questions who it is', () => asked === 3)
  tick(1_000)

  const seen = await arrival('the end, 3.9 s after the beginning', looking)
  assert.equal(!isFault(seen) && seen.fault?.code, 'peer.too_slow')
})
