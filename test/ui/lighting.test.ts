// Lights as people have them: in a real browser, from a real service on a made-up device. What the page draws is what
// the service says that shines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inaccessible, LOOKS, openPage, withTimeToUndo } from '../support/api/browser.ts'
import { pointsOf } from '../support/api/canvas.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const shared = site(fileLifetime(), undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake' })
const COMMAND = '/v1/device/lighting'
const READ_BACK = /willReadFrequently/ // what the browser advises a page that reads its own pictures, as tests do

interface Keyframe {
  readonly at: number
  readonly colour: string
  readonly level: number
}

interface Animation {
  readonly name: string
  readonly title: string
  readonly duration_ms: number
  readonly tracks: readonly { readonly spread: number; readonly keyframes: readonly Keyframe[] }[]
}

interface State {
  readonly groups: readonly {
    readonly group: string
    readonly holder: { readonly owner: string; readonly shows: string } | null
    readonly colours: readonly string[]
  }[]
}

const stateOf = async (daemon: Daemon, group: string) => {
  const { groups } = await daemon.get<State>(`${COMMAND}/state`)
  return groups.find((each) => each.group === group)
}

const savedOn = async (daemon: Daemon): Promise<readonly Animation[]> =>
  (await daemon.get<{ animations: readonly Animation[] }>(`${COMMAND}/animations`)).animations

const cardOf = (page: Page, name: string): Locator =>
  page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) })

const A_LAMP = 50 // points, of the smallest that are drawn

const shines = (picture: Locator, colour: string) =>
  until(
    `a lamp that is ${colour}`,
    () => pointsOf(picture, colour),
    (count) => count > A_LAMP,
  )

const takeBack = async (daemon: Daemon) => daemon.send('POST', COMMAND, { command: 'off', ttl_ms: 0 })

test('a person gives a group a colour, sees it shine, and gives the light back', async (t) => {
  const daemon = await shared
  await takeBack(daemon)
  const { page } = await openPage(t, daemon.url, { path: '/lighting', expected: [READ_BACK] })
  const ring = cardOf(page, 'ring')
  await ring.getByText('Nobody wants anything of it, and it is dark.').waitFor()

  await page.getByLabel('Which lights').selectOption('ring')
  await page.getByLabel('Colour').fill('#ff8000')
  await page.getByLabel('Brightness, as a number').fill('100')
  await page.getByLabel('Brightness, as a number').press('Enter')
  await page.getByRole('button', { name: 'Show it' }).click()

  await ring.getByText('a person has it').waitFor()
  await ring.getByText('A command over HTTP.').waitFor()
  const picture = ring.getByRole('img', { name: 'ring, 16 lights: one colour' })
  await shines(picture, '#ff8000')
  assert.deepEqual((await stateOf(daemon, 'ring'))?.colours, Array(16).fill('#ff8000'))
  assert.equal((await stateOf(daemon, 'left'))?.holder, null, 'it is for the chosen group alone')

  await page.getByRole('button', { name: 'Give all lights back' }).click()
  await ring.getByText('Nobody wants anything of it, and it is dark.').waitFor()
  await page.getByRole('button', { name: 'Give all lights back' }).waitFor({ state: 'detached' })
  await until(
    'a dark picture',
    () => pointsOf(ring.getByRole('img'), '#ff8000'),
    (count) => count === 0,
  )
})

test('what another client tells the lights appears by itself, as it moves', async (t) => {
  const daemon = await shared
  await takeBack(daemon)
  const { page } = await openPage(t, daemon.url, { path: '/lighting', expected: [READ_BACK] })
  const left = cardOf(page, 'left')
  await left.getByText('nobody wants it').waitFor()

  await daemon.send('POST', COMMAND, { command: 'blink', on_ms: 300, off_ms: 300, ttl_ms: 60_000 })

  await left.getByText('blinking').waitFor()
  await shines(left.getByRole('img', { name: /^left, 1 light: blinking/ }), '#ffffff')
  await until(
    'the dark half',
    () => pointsOf(left.getByRole('img'), '#ffffff'),
    (count) => count < A_LAMP,
  )
  await shines(left.getByRole('img'), '#ffffff')
  await takeBack(daemon)
  await left.getByText('nobody wants it').waitFor()
})

test('what a robot wants by ledMode shines on the page, until a person wants it all the same', async (t) => {
  const lab = nt4Lab(t)
  const server = await lab.serve()
  const own = site(t, undefined, { VEDETTE_ENGINE: 'fake' })
  const daemon = await own.start({ device: 'fake', nt4: `127.0.0.1:${server.port}` })
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } })
  const robot = await lab.connect(server.port, 'robot')
  const handle = robot.publish('/limelight/ledMode', 'double')
  const { page } = await openPage(t, daemon.url, { path: '/lighting', expected: [READ_BACK] })
  const ring = cardOf(page, 'ring')
  await ring.getByRole('img').waitFor()

  robot.write([[handle, 3]])

  await ring.getByText('the robot has it').waitFor()
  await ring.getByText(/A robot program has set ledMode to 3: on\./).waitFor()
  await shines(ring.getByRole('img', { name: 'ring, 16 lights: on' }), '#ffffff')
  await page.getByLabel('Colour').fill('#ff0000')
  await page.getByLabel('Brightness, as a number').fill('100')
  await page.getByLabel('Brightness, as a number').press('Enter')
  await page.getByRole('button', { name: 'Show it' }).click()
  await ring.getByText(/comes? next/).click() // the person waits: a robot is before people
  await ring.getByText('one colour: A command over HTTP.').waitFor()
  await ring.getByText('the robot has it').waitFor()
  await page.getByLabel('Also when the robot wants something else').check()
  await page.getByRole('button', { name: 'Show it' }).click()
  await ring.getByText('a person has it').waitFor()
  await shines(ring.getByRole('img'), '#ff0000')
  await shines(cardOf(page, 'left').getByRole('img'), '#ffffff') // a white lamp has no red
  await page.getByRole('button', { name: 'Give all lights back' }).click()
  await ring.getByText('the robot has it').waitFor()

  robot.write([[handle, 0]])
  await ring.getByText('the robot has it').waitFor({ state: 'detached' })
})

test('a device that is too warm says why all is dark, and who would have the lights', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake:hot' })
  const { page } = await openPage(t, daemon.url, { path: '/lighting', expected: [READ_BACK] })
  await page.getByText('All lights are off, since the device is too warm.').waitFor()
  await page.getByText(/off from 80 °C on\. They come back by themselves below 75 °C\./).waitFor()

  await daemon.send('POST', COMMAND, { command: 'colour', colour: '#ff8000', ttl_ms: 60_000 })

  const ring = cardOf(page, 'ring')
  await ring.getByText('a person has it').waitFor()
  await ring.getByRole('img', { name: 'ring, 16 lights: dark' }).waitFor()
  assert.equal(await pointsOf(ring.getByRole('img'), '#ff8000'), 0)
})

test('an animation is made on a time line by keys, looked at, saved and played', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, {
    path: '/lighting/animations',
    expected: [READ_BACK],
    prepare: withTimeToUndo,
  })
  await page.getByRole('link', { name: 'New animation' }).click()
  await page.getByLabel('Title').fill('Zeigt her!')
  await page.getByText('Commands name it zeigt_her.').waitFor()

  const second = page.getByRole('slider', { name: 'Keyframe 2 of Track 1' })
  await second.focus()
  for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('ArrowRight')
  await page.getByLabel('Colour').fill('#3050f0')
  await page.getByRole('slider', { name: /^Time/ }).fill('1200')
  await shines(page.getByRole('img', { name: /^Zeigt her! on/ }), '#3050f0')
  await page.getByRole('button', { name: 'Add a keyframe' }).click()
  await page.getByRole('slider', { name: 'Keyframe 2 of Track 1' }).press('Delete')
  await page.getByRole('slider', { name: 'Keyframe 4 of Track 1' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save and play' }).click()

  await page.waitForURL('**/lighting/animations/edit/zeigt_her')
  await until('its light', async () => (await stateOf(daemon, 'ring'))?.holder?.shows === 'animation')
  const [saved] = await savedOn(daemon)
  assert.equal(saved?.title, 'Zeigt her!')
  assert.deepEqual(
    saved?.tracks[0]?.keyframes.map(({ at, colour, level }) => ({ at, colour, level })),
    [
      { at: 0, colour: '#00ff80', level: 0 },
      { at: 0.6, colour: '#3050f0', level: 1 },
      { at: 1, colour: '#00ff80', level: 0 },
    ],
  )

  await page.getByRole('link', { name: 'Back to the animations' }).click()
  await page.getByRole('button', { name: 'Delete Zeigt her!' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Edit Zeigt her!' }).waitFor()
  assert.equal((await savedOn(daemon)).length, 1, 'what was taken back is still there')
  await takeBack(daemon)
})

/** Where the handle of a keyframe is: to a pixel of the line, which is some milliseconds. */
const near = (handle: Locator, ms: number) =>
  until(
    `a keyframe at ${ms} ms`,
    async () => Number(await handle.getAttribute('aria-valuenow')),
    (at) => Math.abs(at - ms) <= 5,
  )

test('a keyframe is added and dragged with the mouse, and a step is taken back', async (t) => {
  const { url } = await shared
  const { page } = await openPage(t, url, { path: '/lighting/animations/new' })
  const handles = page.getByRole('slider', { name: /of Track 1$/ })
  await handles.first().waitFor()
  const lane = page.locator('.lighting-lane')
  const { width = 0, height = 0 } = (await lane.boundingBox()) ?? {}

  await lane.click({ position: { x: 0.25 * width, y: height / 2 } }) // once it stands still
  await until(
    'another keyframe',
    () => handles.count(),
    (count) => count === 4,
  )
  const box = await lane.boundingBox()
  assert.ok(box)
  const at = (share: number) => [box.x + share * box.width, box.y + box.height / 2] as const
  await near(handles.nth(1), 500)
  await page.mouse.move(...at(0.25))
  await page.mouse.down()
  await page.mouse.move(...at(0.4), { steps: 3 })
  await page.mouse.move(...at(0.75), { steps: 3 })
  await page.mouse.up()

  assert.equal(await handles.count(), 4, 'to drag one makes no other')
  await near(handles.nth(2), 1_500) // it went past the middle one
  await page.getByRole('group', { name: 'Keyframe 3 of 4' }).waitFor()
  for (let steps = 0; steps < 20 && (await handles.count()) > 3; steps += 1)
    await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await handles.count(), 3)
})

test('a template is tried with values of its own, and becomes an own animation', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/lighting/animations', expected: [READ_BACK] })
  const steady = cardOf(page, 'Steady')
  await steady.getByLabel('Colour').fill('#3050f0')
  await shines(steady.getByRole('img', { name: 'Steady, as it plays' }), '#3050f0')
  await steady.getByRole('button', { name: 'Play Steady' }).click()
  await until('its light', async () => (await stateOf(daemon, 'ring'))?.colours[15] === '#3050f0')
  const card = cardOf(page, 'Chase')
  await card.getByLabel('Colour').fill('#f04040')

  await card.getByRole('link', { name: 'Make your own of Chase' }).click()
  await page.getByRole('heading', { level: 1, name: 'My chase' }).waitFor()
  await page.getByLabel('Length').fill('700')
  await page.getByLabel('Length').press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  await page.waitForURL('**/edit/my_chase')
  const own = (await savedOn(daemon)).find(({ name }) => name === 'my_chase')
  assert.equal(own?.duration_ms, 700)
  assert.equal(own?.tracks[0]?.spread, 1)
  assert.equal(own?.tracks[0]?.keyframes[0]?.colour, '#f04040')
  await takeBack(daemon)
})

test('an animation that somebody else saves meanwhile is not replaced unless a person says so', async (t) => {
  const daemon = await shared
  const save = (title: string) =>
    daemon.send('POST', `${COMMAND}/animations`, {
      name: 'shared',
      title,
      duration_ms: 1_000,
      tracks: [{ keyframes: [{ at: 0, colour: '#3050f0' }] }],
    })
  const titleNow = async () => (await savedOn(daemon)).find(({ name }) => name === 'shared')?.title
  await save('First')
  const { page } = await openPage(t, daemon.url, {
    path: '/lighting/animations/edit/shared',
    expected: [/to POST .*animations/, /Failed to load resource/],
  })
  const title = page.getByLabel('Title')
  await title.fill('Mine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^applied/).waitFor()
  await save('Theirs')
  await title.fill('Mine again')
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  await page.getByText('Somebody else changed it.').waitFor()
  assert.equal(await titleNow(), 'Theirs')
  await page.getByRole('button', { name: 'Set mine' }).click()
  await until('mine', titleNow, (now) => now === 'Mine again')

  const [isHeld, isLate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let wasHeld = false
  await page.route(/\/lighting\/animations$/, async (route) => {
    const isFirst = route.request().method() === 'GET' && !wasHeld
    if (isFirst) {
      wasHeld = true
      isHeld.resolve()
      await isLate.promise
    }
    await route.continue()
  })
  await save('Theirs again')
  await isHeld.promise // what the page reads by itself comes late
  await title.fill('Mine at last')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await until(
    'theirs',
    () => title.inputValue(),
    (now) => now === 'Theirs again',
  )
  isLate.resolve()
  await daemon.send('DELETE', `${COMMAND}/animations/shared`)
})

test('lights are set up, with a revision, and put back as they were delivered', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, {
    path: '/lighting/setup',
    expected: [/to POST .*config/, /Failed to load resource/],
  })
  await page.getByRole('button', { name: 'Do not use left' }).click()
  await page.getByLabel('Name of group 2').fill('rear')
  await page.getByText('Changed here, and not saved yet.').waitFor()
  await daemon.send('POST', `${COMMAND}/config`, { gamma: 2.5 })
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Somebody else changed it.').waitFor()
  await page.getByRole('button', { name: 'Set mine' }).click()
  await page.getByText(/^applied/).waitFor()
  await until('the setup', async () => (await stateOf(daemon, 'rear')) !== undefined)
  assert.equal(await stateOf(daemon, 'left'), undefined)

  await page.getByLabel('Name of group 1').fill('ö')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/groups\/0\/name/).waitFor()

  await page.getByRole('button', { name: 'As delivered' }).click()
  await page.getByRole('button', { name: 'Set them up anew' }).click()
  await page.getByRole('button', { name: 'Do not use left' }).waitFor()
  await until('the setup', async () => (await stateOf(daemon, 'left')) !== undefined)
})

for (const { name, viewport, colorScheme } of LOOKS)
  for (const [path, heading] of [
    ['/lighting', 'Tell them what to show'],
    ['/lighting/animations', 'Rainbow'],
    ['/lighting/animations/new', 'Time line'],
    ['/lighting/setup', 'What the device shows by itself'],
  ] as const)
    test(`${path} can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
      const daemon = await shared
      const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path })
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()

      assert.deepEqual(await inaccessible(page), [])
      assert.ok(await isNoWider(page), 'nothing is to be scrolled to the side')
    })

/** Whether all of a page is between the sides of its window. */
const isNoWider = (page: Page): Promise<boolean> =>
  page.locator('html').evaluate((html) => {
    const { scrollWidth, clientWidth } = html as unknown as {
      readonly scrollWidth: number
      readonly clientWidth: number
    }
    return scrollWidth <= clientWidth
  })
