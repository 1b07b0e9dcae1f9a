// A person calibrates a camera by a guided capture: what is wrong with how the board is held is said in words, the
// outline is followed, and what was taken is solved.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { CALIBRATION_PROGRAMS } from '../../native/calibration/linux.ts'
import { boardCamera, HIDDEN_LENS, holdBoard, patchStream, type Solved } from '../support/calibration/board-camera.ts'
import { GuidedPerson } from '../support/calibration/guided-person.ts'
import { site } from '../support/processes/daemon.ts'

const noPrograms =
  !Object.values(CALIBRATION_PROGRAMS).every((path) => existsSync(path)) &&
  'the programs are not built; run: sh native/setup.sh'

const PICTURES = 4

test('a board that moves, or is not sharp, is refused in words; one that follows the outline is taken and solved', {
  skip: noPrograms,
}, async (t) => {
  const daemon = await site(t).start()
  const { source, pipeline } = boardCamera({ hold_ms: 1, move_ms: 1500 })
  await daemon.addStream({ id: 'front', source, pipeline })
  const person = new GuidedPerson(daemon, 'front', 5)
  await person.begin()

  const moved = await person.see('a refusal', ({ refusal }) => refusal?.code === 'moved')
  assert.match(String(moved.refusal?.detail), /hold it still/)
  assert.equal(moved.pictures_count, 0)

  const middle = { x_m: 0.4, y_m: 0, z_m: 0, roll_deg: 5, pitch_deg: 0, yaw_deg: 25 }
  await holdBoard(daemon, 'front', { pose: middle })
  let status = await person.see('the first picture', ({ pictures_count }) => pictures_count === 1)
  await holdBoard(daemon, 'front', { pose: { ...middle, y_m: 0.001 } })
  const same = await person.see('the same again', ({ refusal }) => refusal?.code === 'duplicate')
  assert.match(String(same.refusal?.detail), /such a picture already/)

  await patchStream(daemon, 'front', { source: { backend: 'synthetic', blur_px: 3 } })
  await person.hold()
  const blurred = await person.see('another refusal', ({ refusal }) => refusal?.code === 'blurred')
  assert.match(String(blurred.refusal?.detail), /sharp|blur/)
  assert.deepEqual([blurred.state, blurred.pictures_count], ['refused', 1])

  await patchStream(daemon, 'front', { source: { backend: 'synthetic', blur_px: 0.7 } })
  status = await person.see('the same place, sharp', ({ pictures_count }) => pictures_count === 2)
  while (status.pictures_count < PICTURES) status = await person.follow(status)
  assert.ok(person.tries <= 2 * PICTURES, `${person.tries} tries`)
  const { status: answer, body } = await daemon.send<Solved>('POST', '/v1/calibration/solve', {
    capture_id: person.id,
    square_width_mm: 24,
  })

  assert.equal(answer, 200, JSON.stringify(body))
  const { intrinsics, verdict, reasons } = body.calibration
  assert.deepEqual([verdict, reasons[0]?.code], ['usable', 'few_pictures'])
  assert.ok(Math.abs((intrinsics?.fx_px as number) - HIDDEN_LENS.fx_px) < 3, String(intrinsics?.fx_px))
  const after = await person.see('the job', ({ job_id, state }) => job_id === body.job_id && state !== 'solving')
  assert.notEqual(after.state, 'done', 'it goes on until the verdict is good')
})
