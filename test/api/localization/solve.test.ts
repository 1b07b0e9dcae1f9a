// The newest round as a client reads it, once or live.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { LOCALIZATION } from '../../../actors/localization/tokens.ts'
import type { LocalizationSolve } from '../../../machines/localization/solve-document.ts'
import { listeningApi } from '../../support/api/api.ts'
import { packed } from '../../support/engine/packed.ts'
import { askLocalization } from '../../support/localization/asking.ts'
import { solvedRound } from '../../support/localization/solved.ts'
import { arrival, until } from '../../support/until.ts'

interface Message {
  readonly stream_id?: string
  readonly localization?: LocalizationSolve
}

const listening = async (t: TestContext) => {
  const api = await listeningApi(t)
  const { solved } = api.fake.resolve(LOCALIZATION)
  const listen = async (query: string) => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/v1/results?${query}`, { perMessageDeflate: false })
    t.after(() => socket.terminate())
    const heard: Message[] = []
    socket.on('message', (data) => heard.push(JSON.parse(String(data))))
    await arrival('an open socket', once(socket, 'open'))
    const hears = (count: number) =>
      until(
        `${count} messages`,
        () => heard,
        ({ length }) => length >= count,
      )
    /** What was said before has arrived then. */
    const roundTrip = async () => {
      socket.ping()
      await arrival('a pong', once(socket, 'pong'))
    }
    return { heard, hears, roundTrip, socket }
  }
  return { ...api, ask: askLocalization(api), solved, listen }
}

const roundsIn = (heard: readonly Message[]) => heard.map(({ localization }) => localization?.round)

test('there is nothing before the first round, then the newest one', async (t) => {
  const { ask, solved } = await listening(t)

  const before = await ask('GET', 'solve')
  solved.set(solvedRound({ round: 12 }))
  const after = await ask('GET', 'solve')

  assert.deepEqual([before.status, before.json.round, before.json.pose], [200, null, null])
  assert.deepEqual([after.json.round, after.json.pose.x_m, after.json.tags[0].id], [12, 4, 5])
})

test('who listens hears it at once, then each round, and of no stream that was not named', async (t) => {
  const { fake, listen, solved } = await listening(t)
  const front = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const { heard, hears } = await listen('localization=true')

  await hears(1)
  front.results.set(packed({ seq: 1, captured_us: 1_000_000, width_px: 640, height_px: 400 }, []))
  solved.set(solvedRound({ round: 1 }))
  await hears(2)

  assert.deepEqual(roundsIn(heard), [null, 1])
})

test('streams that are named are told beside it', async (t) => {
  const { fake, listen, solved } = await listening(t)
  const front = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const { heard, hears } = await listen('localization=true&streams=front')

  front.results.set(packed({ seq: 1, captured_us: 1_000_000, width_px: 640, height_px: 400 }, []))
  solved.set(solvedRound({ round: 1 }))
  await hears(3)

  assert.deepEqual(heard.map(({ stream_id }) => stream_id).sort(), ['front', undefined, undefined])
})

test('no more rounds are told than were asked for, and nobody hears of them who did not ask', async (t) => {
  const { listen, solved } = await listening(t)
  const { heard, roundTrip } = await listen('localization=true&rate=10')
  const other = await listen('')

  await roundTrip()
  for (let round = 1; round <= 48; round++) {
    solved.set(solvedRound({ round, capturedUs: 1_000_000 + 20_000 * round }))
    await roundTrip()
  }
  await other.roundTrip()

  assert.equal(heard.length, 1 + 10)
  assert.deepEqual(other.heard, [])
})

test('who is slow misses rounds, and hears the newest when it listens again', async (t) => {
  const { listen, solved } = await listening(t)
  const slow = await listen('localization=true&rate=240')
  const quick = await listen('localization=true&rate=240')
  const tags = Array.from({ length: 500 }, () => solvedRound().tags[0] ?? assert.fail())

  slow.socket.pause()
  const COUNT = 150
  for (let round = 1; round <= COUNT; round++) {
    solved.set(solvedRound({ round, tags, capturedUs: 1_000_000 + 10_000 * round }))
    await quick.hears(round + 1)
  }
  slow.socket.resume()
  await until('the newest', () => roundsIn(slow.heard).at(-1) === COUNT)

  assert.ok(slow.heard.length < COUNT, `${slow.heard.length} of ${COUNT}`)
})
