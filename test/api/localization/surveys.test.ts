// Surveys as a client takes them: what is accepted, refused and undone.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { askNow } from '../../../actors/ask.ts'
import { surveyExample } from '../../../api/localization/surveys.ts'
import { demoMap, MAP_HASH } from '../../../machines/localization/field-map.ts'
import { surveyCollection } from '../../../machines/localization/rig-and-map/stored-survey.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import { assertProblem } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { askLocalization } from '../../support/localization/asking.ts'

const ID = 'snew'
const [first] = demoMap.tags
assert.ok(first)
const { id, pose } = first
const moved = { ...pose, y_m: pose.y_m + 0.05 }
const sits = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
const turned = { ...sits, yaw_deg: 2 }
const measures = { moved_m: 0.05, moved_std_m: 0.003, turned_deg: 0, turned_std_deg: 0.1, is_wrong: true, rounds: 40 }

/** A service that has surveyed the demo's field: a tag and the camera `front` are off. */
const surveyed = async (t: TestContext, hash?: string) => {
  const api = await busyApi(t)
  const ask = askLocalization(api)
  const { directory, resolve, streams } = api.fake
  const stream = streams.get('front') ?? assert.fail('there is no stream')
  const settings = directory.actor('settings')
  assert.ok(settings)
  const patched = await api.app.inject({
    method: 'PUT',
    url: '/v1/rig/cameras/front/pose',
    headers: { host: 'localhost', 'content-type': 'application/json' },
    payload: JSON.stringify(sits),
  })
  const proposal = {
    ...surveyExample.proposal,
    map: { id: demoMap.id, hash: hash ?? resolve(MAP_HASH)(demoMap) },
    tags: [{ family: demoMap.family, id, before: pose, after: moved, ...measures }],
    cameras: [
      { stream_id: 'front', before: stream.manifest.pose ?? sits, after: turned, ...measures, lens_share: 0.001 },
    ],
  }
  const document = { made_at_ms: 1, proposal, accepted: null }
  const written = await askNow(settings, putOrder(surveyCollection, ID, document))
  assert.equal(written.outcome, 'done')
  return { ask, stream, patched, before: stream.manifest }
}

test('what is accepted is in force at once, and undone as it was', async (t) => {
  const { ask, stream, before } = await surveyed(t)
  const config = (await ask('GET', 'config')).json.spec

  const accepted = await ask('POST', `surveys/${ID}/accept`, { errors: true })

  assert.equal(accepted.status, 200, accepted.body)
  const { map_id, tag_count, cameras } = accepted.json.spec.accepted
  assert.deepEqual([map_id, tag_count, cameras], [`demo-${ID}`, 1, ['front']])
  const map = (await ask('GET', `maps/${map_id}`)).json
  assert.deepEqual(map.tags.find((tag: { readonly id: number }) => tag.id === id).pose, moved)
  assert.deepEqual(stream.manifest.pose, turned)
  assert.equal(stream.manifest.map_id, map_id)
  assert.deepEqual((await ask('GET', 'config')).json.spec.errors, {
    ...config.errors,
    ...surveyExample.proposal.errors,
  })

  const undone = await ask('POST', `surveys/${ID}/undo`)

  assert.equal(undone.json.spec.accepted, null)
  assert.deepEqual([stream.manifest.pose, stream.manifest.map_id], [before.pose, before.map_id])
  assert.deepEqual((await ask('GET', 'config')).json.spec, config)
  assertProblem(await ask('POST', `surveys/${ID}/undo`), 'survey.not_possible')
})

test('a part of it can be accepted', async (t) => {
  const { ask, stream, before } = await surveyed(t)

  const { json } = await ask('POST', `surveys/${ID}/accept`, { tags: [{ family: demoMap.family, id }], cameras: [] })

  assert.deepEqual(json.spec.accepted.cameras, [])
  assert.deepEqual(stream.manifest.pose, before.pose)
  assert.equal(stream.manifest.map_id, `demo-${ID}`)
})

test('accepting once more begins from what was there before', async (t) => {
  const { ask, stream, before } = await surveyed(t)
  await ask('POST', `surveys/${ID}/accept`, { errors: true })

  const again = await ask('POST', `surveys/${ID}/accept`, { tags: [], cameras: ['front'] })

  assert.equal(again.status, 200, again.body)
  assert.deepEqual([stream.manifest.pose, stream.manifest.map_id], [turned, before.map_id])
  await ask('POST', `surveys/${ID}/undo`)
  assert.deepEqual(stream.manifest, before)
})

test('a survey of another map, of what is not in it, or of nothing is refused, and changes nothing', async (t) => {
  const { ask, stream, before } = await surveyed(t)
  const other = await surveyed(t, 'f'.repeat(64))

  assertProblem(
    await ask('POST', `surveys/${ID}/accept`, { tags: [{ family: 'tag36h11', id: 500 }] }),
    'survey.not_possible',
  )
  assertProblem(await ask('POST', `surveys/${ID}/accept`, { tags: [], cameras: [] }), 'survey.not_possible')
  assertProblem(await ask('POST', 'surveys/snone/accept', {}), 'survey.not_found')
  assertProblem(await other.ask('POST', `surveys/${ID}/accept`, {}), 'survey.not_possible')
  assert.deepEqual(stream.manifest, before)
})
