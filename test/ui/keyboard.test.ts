// The main job of each room by the keyboard alone: what is to be pressed is come to by Tab, as by somebody without a
// mouse. The editor of pipelines has its own keys, which pipelines.test.ts presses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { StreamView } from '../../api/stream/wire.ts'
import { openPage, withTimeToUndo } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { grayPng } from '../support/media/png.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const SMALL = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const MAX_PRESSES = 150 // no room has so many things to press

const shared = site(fileLifetime(), undefined, { VEDETTE_ENGINE: 'fake' }).start()

interface InDocument {
  readonly ownerDocument: { readonly activeElement: unknown }
}

const hasFocus = (thing: Locator): Promise<boolean> =>
  thing.evaluate((element) => (element as unknown as InDocument).ownerDocument.activeElement === element)

/** Goes on by Tab until a thing has the focus. */
const tabTo = async (page: Page, thing: Locator): Promise<void> => {
  await thing.waitFor()
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if (await hasFocus(thing)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${MAX_PRESSES} presses of Tab do not lead to ${thing}`)
}

/** Comes to a thing and presses a key, as soon as the thing does not say that it is busy. */
const press = async (page: Page, thing: Locator, key = 'Enter'): Promise<void> => {
  await tabTo(page, thing)
  await until('a thing that can be pressed', () => thing.isEnabled(), Boolean)
  await page.keyboard.press(key)
}

/** Writes in place of what stands there. */
const write = async (page: Page, field: Locator, text: string): Promise<void> => {
  await press(page, field, 'ControlOrMeta+a')
  await page.keyboard.type(text)
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

/** By the link in the rail. */
const goTo = async (page: Page, room: string): Promise<void> => {
  await press(page, page.getByRole('navigation', { name: 'Rooms', exact: true }).getByRole('link', { name: room }))
  await page.getByRole('heading', { level: 1, name: room }).waitFor()
}

test('a first stream is made, named, cropped and kept, and seen on the field, by keys alone', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url)
  const crops = async () =>
    (await daemon.get<{ items: readonly StreamView[] }>('/v1/streams')).items.map(({ spec }) => spec.crop?.width_px)

  await press(page, button(page, 'Try with the synthetic camera'))
  await press(page, page.getByRole('article').getByRole('link', { name: 'Synthetic camera' }))
  await tabTo(page, page.getByRole('tab', { name: 'Now' }))
  await page.keyboard.press('ArrowLeft') // from the first to the last
  await write(page, page.getByRole('textbox', { name: 'Name' }), 'Front')
  await page.keyboard.press('Enter')
  await page.getByText(/^applied, revision/).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Front' }).waitFor()
  await press(page, button(page, 'Crop'))
  await write(page, page.getByRole('spinbutton', { name: 'Width of the crop' }), '320')
  await page.keyboard.press('Enter')
  await press(page, button(page, 'Set the crop'))
  await until('the crop', crops, ([width]) => width === 320)
  await press(page, button(page, 'Snapshot'))
  await page.getByText('Kept a picture').waitFor()
  await press(page, button(page, 'Record'))
  await press(page, button(page, 'Stop recording'))
  await page.getByText('Recorded').waitFor()

  await goTo(page, 'Field')
  await press(page, page.getByRole('checkbox', { name: 'Trail' }), 'Space')
  await tabTo(page, page.getByRole('tab', { name: 'Above' }))
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: '3D', selected: true }).waitFor()
  assert.match(page.url(), /hide=trail/)
})

test('a picture is uploaded, noted and deleted, and that is undone, by keys alone', async (t) => {
  const daemon = await shared
  // a recording that was stopped at once may have no picture to show
  const { page } = await openPage(t, daemon.url, { expected: [/406/], prepare: withTimeToUndo })
  await goTo(page, 'Media')

  const chooser = page.waitForEvent('filechooser')
  await press(page, button(page, 'Upload'))
  const buffer = grayPng(64, 48, (x, y) => x + y)
  await (await chooser).setFiles([{ name: 'goal.png', mimeType: 'image/png', buffer }])
  await press(page, page.getByRole('link', { name: 'goal.png', exact: true }).last())
  await write(page, page.getByRole('textbox', { name: 'Note' }), 'the red one')
  await press(page, button(page, 'Save note'))
  await page.getByText(/^applied, revision/).waitFor()
  await page.goBack()
  await press(page, button(page, 'Delete goal.png'))
  await press(page, button(page, 'Undo'))

  await button(page, 'Delete goal.png').waitFor()
  const { metadata } = await daemon.get<{ metadata: object }>('/v1/media/goal.png/metadata')
  assert.deepEqual(metadata, { note: 'the red one' })
})

test('the robot, other devices, this device and this browser are set up by keys alone', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { expected: [/4\d\d/] })

  await goTo(page, 'NT4')
  await write(page, page.getByRole('textbox', { name: 'Team', exact: true }), '1234')
  await page.keyboard.press('Enter')
  await page.getByText(/^applied, revision/).waitFor()
  await goTo(page, 'Peers')
  await press(page, button(page, 'Register by address'))
  const dialog = page.getByRole('dialog')
  await write(page, dialog.getByRole('textbox', { name: 'Address' }), daemon.url)
  await page.keyboard.press('Enter')
  await dialog
    .getByRole('alert')
    .getByText(/this device itself/)
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await until('the focus where it was', () => hasFocus(button(page, 'Register by address')))
  await goTo(page, 'Device')
  await write(page, page.getByRole('textbox', { name: 'Name of the device' }), 'localhost')
  await page.keyboard.press('Enter')
  await press(page, button(page, 'Change the name'))
  await page.getByText('every device calls itself localhost').waitFor()
  await goTo(page, 'Errors')
  await tabTo(page, page.getByRole('tab', { name: /^Errors/ }))
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: /^Jobs/, selected: true }).waitFor()
  await goTo(page, 'Settings')
  await tabTo(page, page.getByRole('radio', { name: 'As the system' }))
  await page.keyboard.press('ArrowRight')
  await press(page, page.getByRole('checkbox', { name: 'Small bandwidth' }), 'Space')

  assert.ok(await page.getByRole('radio', { name: 'Light' }).isChecked())
  assert.ok(await page.getByRole('checkbox', { name: 'Small bandwidth' }).isChecked())
  assert.equal((await daemon.get<{ spec: { team: number } }>('/v1/device/nt4')).spec.team, 1234)
})

test('what was pressed keeps the focus while it is carried out, and is not done twice', async (t) => {
  const daemon = await shared
  const { spec } = await daemon.addStream({ id: 'focus', alias: 'Focus', source: SMALL })
  const held: (() => Promise<void>)[] = []
  const hold = async (page: Page) =>
    page.route(/\/v1\/(device\/nt4|streams\/focus\/snapshot)$/, (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      held.push(() => route.continue())
      return undefined
    })
  const { page } = await openPage(t, daemon.url, { path: `/streams/${spec.id}`, prepare: async (it) => void hold(it) })
  const heldOne = () =>
    until(
      'a request',
      () => held.length,
      (count) => count === 1,
    )

  const snapshot = button(page, 'Snapshot')
  await press(page, snapshot)
  await page.getByRole('button', { name: 'Snapshot', disabled: true }).waitFor()
  const keepsButton = await hasFocus(snapshot)
  await page.keyboard.press('Enter') // too early: nothing comes of it
  await heldOne()
  await held.pop()?.()
  await page.getByText('Kept a picture').waitFor()
  await goTo(page, 'NT4')
  const box = page.getByRole('checkbox', { name: /Each stream has its own table/ })
  await press(page, box, 'Space')
  await page.getByRole('checkbox', { name: /Each stream has its own table/, disabled: true }).waitFor()
  const keepsBox = await hasFocus(box)
  await heldOne()
  await held.pop()?.()
  await page.getByText(/^applied, revision/).waitFor()

  assert.deepEqual({ keepsButton, keepsBox }, { keepsButton: true, keepsBox: true })
})
