// What of the page changes again and again is drawn in one go.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atBeat } from '../../ui/state/beat.ts'

test('those who wait for moments of different steps are run in one turn where these meet', async () => {
  let turn = 0 // of this process
  const counting = setInterval(() => {
    turn += 1
  })
  const turns: number[] = []
  const often = (): void => {
    turns.push(turn)
    stop = atBeat(50, often)
  }
  let stop = atBeat(50, often)

  const ofSeldom = await new Promise<number>((resolve) => atBeat(200, () => resolve(turn)))

  clearInterval(counting)
  stop()
  assert.equal(turns.at(-1), ofSeldom)
  assert.ok(turns.length >= 1)
})

test('what is asked for at once is run in the next turn, and what is taken back never', async () => {
  const ran: string[] = []
  atBeat(0, () => ran.push('taken back'))()

  await new Promise<void>((resolve) => {
    atBeat(0, () => ran.push('first'))
    atBeat(0, () => resolve())
    ran.push('before')
  })

  assert.deepEqual(ran, ['before', 'first'])
})

test('what another of the same moment takes back is not run, and one with a bug costs the others nothing', async () => {
  const bugs: unknown[] = []
  process.setUncaughtExceptionCaptureCallback((error) => bugs.push(error))
  const ran: string[] = []

  await new Promise<void>((resolve) => {
    let takeBack = (): void => {}
    atBeat(0, () => takeBack())
    takeBack = atBeat(0, () => ran.push('taken back'))
    atBeat(0, () => {
      throw new Error('a bug')
    })
    atBeat(0, () => ran.push('after it'))
    atBeat(0, resolve)
  })
  process.setUncaughtExceptionCaptureCallback(null)

  assert.deepEqual(ran, ['after it'])
  assert.deepEqual(bugs.map(String), ['Error: a bug'])
})
