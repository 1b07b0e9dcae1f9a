// A bad version comes through the API of the real service, and the previous one is back by itself, with the reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PACKAGED } from '../../machines/update/release.ts'
import { shortOrLong } from '../support/long.ts'
import type { ReleaseContent } from '../support/update/releases.ts'
import { addStream, apply, bundleOf, reaches, streamsAt, updatableDevice } from '../support/update/updated-device.ts'

const LIMIT_MS = 60_000

/** What runs in place of the service, or before it. */
const main = (text: string): ReleaseContent => ({ '.bundle/main.mjs': text })

/** What cannot be seen until it runs is judged by the trial, which gives a version 45 s. */
const BAD: Readonly<Record<string, readonly [content: ReleaseContent, reason: RegExp]>> = {
  'does not come up': [
    main("throw new Error('a part is missing')"),
    /^it was started 2 times .*: it ended with code 1/,
  ],
  'has no API': [
    main(`
      import { Server } from 'node:http'
      const { emit } = Server.prototype
      Server.prototype.emit = function (name, ...given) {
        return name === 'request' ? true : emit.call(this, name, ...given)
      }
      await import('./service.mjs')`),
    /^it was not well for long enough: the API does not answer itself/,
  ],
  'runs without cameras': [
    main("process.env.VEDETTE_ENGINE = 'native'\nawait import('./service.mjs')"), // there is no addon in it
    /^it was not well for long enough: the stream front is /,
  ],
}

const PLAYED = shortOrLong(['does not come up'], Object.keys(BAD))

for (const [what, [content, reason]] of Object.entries(BAD).filter(([what]) => PLAYED.includes(what)))
  test(`a version that ${what} is uploaded and applied, and gone back from with its reason`, async (t) => {
    const bad = await bundleOf(t, '1.1.0', content)
    const { device, url } = await updatableDevice(t)
    await addStream(url, 'front')

    const since = await apply(device, url, bad)
    const startedMs = performance.now()
    await device.heard(/packaged is started: it was gone back to/, since)
    const back = await device.ready(since + device.output.slice(since).indexOf('it was gone back to'))
    const tookMs = performance.now() - startedMs
    const { running, failed_version, failure, detail } = await reaches(back, 'rolled-back')

    t.diagnostic(`back after ${(tookMs / 1000).toFixed(1)} s: ${failed_version?.reason}`)
    assert.equal(running.name, PACKAGED)
    assert.equal(failed_version?.version.split('-')[0], '1.1.0')
    assert.match(failed_version?.reason ?? '', reason)
    assert.equal(failure, null) // of the update itself
    assert.match(detail, /1\.1\.0/)
    assert.deepEqual(await streamsAt(back), ['front'])
    assert.ok(tookMs < LIMIT_MS, `it took ${tookMs} ms`)
  })
