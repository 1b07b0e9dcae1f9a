// The previews of this service, passed on as another device would: its own format is what a tunnel has to understand.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect as connectOverTls } from 'node:tls'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { previewTunnel } from '../../../native/tunnels/preview.ts'
import { parts, pictures } from '../../support/api/preview.ts'
import { pictureOf } from '../../support/engine/packed.ts'
import { watchedStream } from '../../support/engine/watched-stream.ts'
import { madeElsewhere } from '../../support/peers/certificates.ts'
import { heldViewer } from '../../support/peers/picture-source.ts'
import { arrival, until } from '../../support/until.ts'

type Watched = Awaited<ReturnType<typeof watchedStream>>

/** Shows the next picture to all who watch. */
const shoot = ({ fake, stream }: Watched, seq: number): void => {
  fake.clock.advanceMs(33)
  const nowUs = fake.directory.clock.monotonicUs()
  for (const { key } of stream.viewers.pictures.wanted())
    stream.viewers.pictures.deliver(pictureOf(key, seq, nowUs, 30_000))
}

const passesOn = async (t: TestContext, api: Watched, connection: Socket): Promise<void> => {
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  t.after(() => connection.destroy())
  const { origin, pathname } = new URL(api.preview)
  const ask = { target: { origin, fingerprint: null, token: null }, path: pathname }
  const tunnel = await arrival('pictures', Effect.runPromise(Scope.provide(previewTunnel(connection, ask), scope)))
  const viewer = await heldViewer(t)
  const shown = parts(viewer.there)
  tunnel.join(viewer.here, () => {})

  for (const seq of [1, 2, 3]) {
    shoot(api, seq)
    await until('the picture', () => pictures(shown).at(-1)?.seq === seq)
  }

  assert.deepEqual(
    pictures(shown).map(({ seq, jpeg }) => [seq, jpeg.length, jpeg[0]]),
    [1, 2, 3].map((seq) => [seq, 30_000, seq]),
  )
}

test('what this service shows is passed on as it is', async (t) => {
  const api = await watchedStream(t)
  const connection = connect(Number(new URL(api.preview).port), '127.0.0.1')
  await once(connection, 'connect')

  await passesOn(t, api, connection)
})

test('over TLS, too', async (t) => {
  const api = await watchedStream(t, { tls: await madeElsewhere() })
  const port = Number(new URL(api.preview).port)
  const connection = connectOverTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(connection, 'secureConnect')

  await passesOn(t, api, connection)
})
