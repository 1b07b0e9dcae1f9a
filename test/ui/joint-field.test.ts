// The pose of all cameras together as people see it: of real pictures, on the page of the real service.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const LEVEL = { z_m: 0, roll_deg: 0, pitch_deg: 0 }
const ROBOT = { ...LEVEL, x_m: 4, y_m: 4.03, yaw_deg: 180 } // its front looks at tags 1 to 4, its left at 9 and 10

/** Tag 3 hangs half a metre beside its place in the map. */
const DISPLACED = { id: 3, offset: { ...LEVEL, x_m: 0, y_m: 0.5, yaw_deg: 0 } }
/** The camera on the left is not where the rig has it. */
const CROOKED = { ...LEVEL, x_m: 0, y_m: 0.04, yaw_deg: 3 }
/** That far off the pose of all may be: what three degrees make of the few metres to a tag. */
const CROOKED_M = 0.2

const place = (yaw_deg: number) => ({
  x_m: 0.3 * Math.cos((yaw_deg * Math.PI) / 180),
  y_m: 0.3 * Math.sin((yaw_deg * Math.PI) / 180),
  z_m: 0.5,
  roll_deg: 0,
  pitch_deg: -10,
  yaw_deg,
})

const camera = (faults: object) => ({
  backend: 'synthetic' as const,
  width_px: 640,
  height_px: 400,
  fps: 8,
  motion: 'still' as const,
  pose: ROBOT,
  faults: { tags: [DISPLACED], ...faults },
})

/** Cameras whose pictures are not taken at once still are one round. */
const PATIENT = { round_wait_ms: 200 }

const lifetime = fileLifetime()
let daemon: Daemon
before(async () => {
  daemon = await site(lifetime).start()
  await daemon.send('PUT', '/v1/localization/config', PATIENT)
  await daemon.addStream({ id: 'front', alias: 'Front', source: camera({}), pose: place(0) })
  await daemon.addStream({ id: 'left', alias: 'Left', source: camera({ mount: CROOKED }), pose: place(90) })
  await daemon.addStream({ id: 'loose', alias: 'Loose', source: camera({}) })
})

const card = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) })

test('the pose of all cameras is there with how sure it is, by which map, and what the heading is', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field' })
  const joint = card(page, 'All cameras together')

  await joint.getByText('tracking', { exact: true }).waitFor()
  const isNear = (figures: string | null) => {
    const [, x, y] = /^x(\d\.\d\d).*m± \d+\.\d mmy(\d\.\d\d).*m± \d+\.\d mmyaw/.exec(String(figures)) ?? []
    return Math.abs(Number(x) - ROBOT.x_m) < CROOKED_M && Math.abs(Number(y) - ROBOT.y_m) < CROOKED_M
  }
  // farther off in a round of the crooked one alone
  await until('the place of the robot', () => joint.locator('.figures').first().textContent(), isNear)
  await joint.getByText('The robot does not say its heading.').waitFor()
  const hash = await joint.locator('code').getAttribute('title')

  const { map } = await daemon.get<{ readonly map: { readonly hash: string } }>('/v1/localization/solve')
  assert.equal(hash, map.hash)
  await page.getByRole('checkbox', { name: 'All cameras together', checked: true }).waitFor()
})

test('of each tag that is not used the reason stands in words, and its ray is another one', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field' })
  // in the first second it may be another one: of two cameras one is crooked
  const row = card(page, 'Tags')
    .getByRole('row')
    .filter({ hasText: /^3Front.*hangs elsewhere/ })

  await row.getByText('By all others it hangs somewhere else than the map says.').waitFor()
  await page.locator('.field-line[data-used="false"]').first().waitFor({ state: 'attached' })
  await page.locator('.field-line[data-used="true"]').first().waitFor({ state: 'attached' })
  await page.getByRole('img', { name: /Front is used with tags 1, 2.*; not with tag 3/ }).waitFor()
  await row.getByRole('link', { name: 'Ignore it' }).click()

  await page.getByRole('textbox', { name: 'Tag', exact: true }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Tag', exact: true }).inputValue(), '3')
})

test('each camera says whether it agrees, and one without a place what to do', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field' })
  const cameras = card(page, 'Cameras')
  const rowOf = (name: string) => cameras.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })

  await rowOf('Loose').getByText('Nobody has said where it sits on the robot.').waitFor()
  await rowOf('Left').getByText('disagrees', { exact: true }).waitFor()
  // of two nobody can say which sits off
  await rowOf('Left')
    .getByText(/Left and another camera disagree: by it alone the robot is .*turned (left|right)/)
    .first()
    .waitFor()
  await rowOf('Left')
    .getByText(/Which of them sits off shows only when a third camera sees tags with them\./)
    .first()
    .waitFor()
  await rowOf('Loose').getByRole('link', { name: 'Say where in Rig' }).click()
  await page.getByRole('heading', { name: 'Rig', level: 1 }).waitFor()
})

test('localization that somebody else switches off is off here without loading again', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?together=yes' })
  const joint = card(page, 'All cameras together')
  await joint.getByText('tracking', { exact: true }).waitFor()

  await daemon.send('PUT', '/v1/localization/config', { enabled: false })
  await joint.getByText('switched off', { exact: true }).waitFor()
  await daemon.send('PUT', '/v1/localization/config', PATIENT)
  await joint.getByText('tracking', { exact: true }).waitFor()
})

test('rounds come without a request, and only while somebody looks', async (t) => {
  const opened: string[] = []
  const closed: string[] = []
  const prepare = async (page: Page) => {
    page.on('websocket', (socket) => {
      if (!socket.url().includes('localization=true')) return
      opened.push(socket.url())
      socket.on('close', () => closed.push(socket.url()))
    })
  }
  const { page, requests } = await openPage(t, daemon.url, { path: '/field?together=yes', prepare })
  const rounds = () => daemon.get<{ readonly round: number }>('/v1/localization/solve').then(({ round }) => round)
  await card(page, 'Tags').getByRole('row').nth(1).waitFor()
  await until('all answers', requests, ({ open }) => open === 0)
  const askedMeanwhile = async () => {
    const before = requests().asked.length
    const first = await rounds()
    await until('more rounds', rounds, (round) => round > first + 3)
    return requests().asked.slice(before)
  }
  // something else may have changed meanwhile
  await until('rounds without a request', askedMeanwhile, ({ length }) => length === 0)
  await page.getByRole('link', { name: 'Rig', exact: true }).click()
  await page.getByRole('heading', { name: 'Rig', level: 1 }).waitFor()
  await until(
    'its end',
    () => closed.length,
    (count) => count === opened.length,
  )

  assert.equal(opened.length, 1)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the pose of all cameras can be seen by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, daemon.url, { path: '/field', viewport, colorScheme })
    await page.getByText('hangs elsewhere', { exact: true }).first().waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
