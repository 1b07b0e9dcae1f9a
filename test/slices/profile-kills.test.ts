// A service is killed in the middle of the import of a profile: what it has afterwards is the old state or the new one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { demoMap } from '../../machines/localization/field-map.ts'
import { canonicalJson } from '../../machines/schema/canonical-json.ts'
import { shortOrLong } from '../support/long.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'

interface Profile {
  readonly content: Record<string, unknown>
}

const EXPORT = '/v1/localization/profiles/export'
const IMPORT = '/v1/localization/profiles/import'
const ROUNDS = shortOrLong(3, 16)

/** A profile in which everything says the same number: twenty maps, sixteen sources, the config and a pose. */
const numbered = (envelope: Profile, number: number): Profile => {
  const x_m = number / 100
  const maps = Array.from({ length: 20 }, (_, n) => ({ ...demoMap, id: `map-${n}`, name: `Map ${number}` }))
  const sources = Array.from({ length: 16 }, (_, n) => ({
    id: `source-${n}`,
    spec: {
      kind: 'absolute',
      origin: 'blue',
      time_base: 'arrival',
      outputs: [{ output_key: 'pose', data_type: 'pose' }],
      max_age_ms: 100 + number,
    },
  }))
  const pose = { x_m, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
  const camera = { camera_uid: 'stream-front', stream_id: 'front', name: 'Front', pose, lens: null }
  const content = {
    config: { map_id: 'map-3', round_wait_ms: 20 + number },
    maps: maps.map((map) => ({ ...map, length_m: 16 + x_m })),
    rig: { robot: { length_m: 0.5 + x_m }, cameras: [camera] },
    sources,
  }
  return { ...envelope, content, sha256: createHash('sha256').update(canonicalJson(content)).digest('hex') } as Profile
}

/** The numbers that its parts say; one, where it is whole. */
const numbersIn = async (daemon: Daemon): Promise<readonly number[]> => {
  const { content } = await daemon.get<{
    content: {
      config: { round_wait_ms: number }
      maps: { length_m: number }[]
      rig: { robot: { length_m: number }; cameras: { pose: { x_m: number } }[] }
      sources: { spec: { max_age_ms: number } }[]
    }
  }>(EXPORT)
  assert.deepEqual([content.maps.length, content.sources.length, content.rig.cameras.length], [20, 16, 1])
  const said = [
    content.config.round_wait_ms - 20,
    ...content.maps.map(({ length_m }) => (length_m - 16) * 100),
    (content.rig.robot.length_m - 0.5) * 100,
    ...content.rig.cameras.map(({ pose }) => pose.x_m * 100),
    ...content.sources.map(({ spec }) => spec.max_age_ms - 100),
  ]
  return [...new Set(said.map(Math.round))]
}

test('whenever it is killed, what it has is one profile whole, and never parts of two', async (t) => {
  const { start } = site(t)
  let daemon = await start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } })
  const envelope = await daemon.get<Profile>(EXPORT)
  const first = await daemon.send('POST', IMPORT, numbered(envelope, 1))
  assert.equal(first.status, 200, JSON.stringify(first.body))
  let [last = 0] = await numbersIn(daemon)
  const outcomes: string[] = []

  for (let round = 0; round < ROUNDS; round++) {
    const next = last + 1
    const sent = daemon.send('POST', `${IMPORT}?on_conflict=replace`, numbered(envelope, next)).then(
      ({ status }) => status,
      () => 'cut off',
    )
    // some while later in each round
    for (let n = 0; n <= round; n++) await daemon.get('/v1/localization/config')
    await daemon.end('SIGKILL')
    const answer = await sent
    daemon = await start()

    const found = await numbersIn(daemon)

    assert.ok(found.length === 1 && [last, next].includes(found[0] ?? -1), `${found} after ${last} and ${next}`)
    if (answer === 200) assert.deepEqual(found, [next], 'what was answered is there')
    outcomes.push(`${answer}: ${found[0] === next ? 'new' : 'old'}`)
    last = found[0] ?? last
  }
  t.diagnostic(outcomes.join(', '))
})
