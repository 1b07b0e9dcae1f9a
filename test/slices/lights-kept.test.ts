// A service that is killed finds how its lights are set up, and which animations are saved, as they were answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animationExample } from '../../machines/lighting/animation.ts'
import type { LightingState } from '../../machines/lighting/state.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

test('what was answered outlasts a kill, and what a person told the lights does not', async (t) => {
  const { start } = site(t)
  const first = await start({ engine: 'fake', device: 'fake' })
  const send = async (path: string, body: object) =>
    assert.equal((await first.send('POST', `/v1/device/lighting${path}`, body)).status, 204)
  await send('/config', { max_duty: 0.25, idle: { command: 'animation', animation: 'rainbow' } })
  await send('/animations', animationExample)
  await until(
    'the lights',
    () => first.send('POST', '/v1/device/lighting', { command: 'on' }),
    ({ status }) => status === 204,
  )

  await first.end('SIGKILL')
  const second = await start({ engine: 'fake', device: 'fake' })

  const { config, revision } = await second.get<{ config: object; revision: number }>('/v1/device/lighting/config')
  assert.equal(revision, 1)
  assert.deepEqual({ max_duty: 0.25, idle: { command: 'animation', animation: 'rainbow' } }, picked(config))
  assert.deepEqual(await second.get('/v1/device/lighting/animations'), {
    animations: [{ revision: 1, ...animationExample }],
  })
  const state = () => second.send<LightingState>('GET', '/v1/device/lighting/state')
  const { body } = await until(
    'the idle state',
    state,
    ({ body: { groups } }) => groups?.every(({ holder }) => holder?.kind === 'idle') ?? false,
  )
  assert.deepEqual(
    body.groups.map(({ holder }) => holder?.shows),
    Array(4).fill('animation'),
  )
})

const picked = ({ max_duty, idle }: { readonly max_duty?: number; readonly idle?: object }) => ({ max_duty, idle })
