// Looking which outputs there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutputLook } from '../../../actors/lighting/output-look.ts'
import { FakeLights } from '../../../native/lighting/fake.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'

test('whoever asks within two seconds gets what the one before got, and then there is another look', async () => {
  const clock = new HandClock()
  const lights = new FakeLights()
  let looks = 0
  const find = async () => {
    looks += 1
    return lights.find()
  }
  const look = new OutputLook({ find }, clock)

  const [first, second] = await Promise.all([look.look(), look.look()])
  clock.advance(1_999)
  await look.look()
  assert.deepEqual([looks, first === second], [1, true])

  lights.outputs = []
  clock.advance(1)
  const third = await look.look()

  assert.deepEqual('outputs' in third && third.outputs, [])
  assert.equal(looks, 2)
})
