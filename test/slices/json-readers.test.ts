// The results document of a camera costs more than all its other topics, so it is written while somebody reads it. Who
// comes to read it notices nothing.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { NetworkTablesTypeInfos } from 'ntcore-ts-client'
import { crudeClient, nt4Lab } from '../support/nt4/nt4.ts'
import { stranger } from '../support/nt4/stranger.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const

/** The service in each of its roles, with the port at which robot code finds the server. */
const roles: Readonly<Record<string, (t: TestContext) => Promise<{ readonly daemon: Daemon; readonly port: number }>>> =
  {
    'its own server': async (t) => {
      const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
      return { daemon, port: await until('the port of its NT4 server', () => daemon.nt4Port) }
    },
    "a robot's server": async (t) => {
      const { port } = await nt4Lab(t).serve()
      return { daemon: await site(t).start({ nt4: `127.0.0.1:${port}` }), port }
    },
  }

for (const [role, startIn] of Object.entries(roles)) {
  test(`the document comes with each frame from when somebody reads it on, in ${role}`, async (t) => {
    const { daemon, port } = await startIn(t)
    await daemon.addStream({ id: 'front', source })
    const spy = await crudeClient(t, port)
    spy.say(['subscribe', { topics: ['/limelight/hb', '$sub$/limelight/json'], subuid: 1, options: { all: true } }])
    const heartbeats = () => spy.values.filter(({ id }) => id === spy.announced('/limelight/hb')[0]?.id).length
    await until('ten frames', heartbeats, (count) => count > 10)

    const robot = await stranger(t, port)
    const came = await daemon.metrics('front')
    const heard = robot.listen<string>('/limelight/json', NetworkTablesTypeInfos.kString)
    await until(
      'documents',
      () => heard.length,
      (count) => count > 20,
    )
    const texts = [...heard] // all of them of frames that are counted by now
    const gone = (await daemon.metrics('front')).frames - came.frames
    const [kept, ...documents] = texts.map((text) => JSON.parse(text) as { readonly fidx: number; readonly v: number })
    const frames = documents.map(({ fidx }) => fidx)

    assert.deepEqual([kept?.v, kept?.fidx], [0, 0], 'no measurement from before anybody read')
    assert.deepEqual(
      frames,
      [...new Set(frames)].toSorted((a, b) => a - b),
      'each frame once, in their order',
    )
    assert.ok(frames.length <= gone + 2, 'the newest frame at once, then those that came')
  })
}
