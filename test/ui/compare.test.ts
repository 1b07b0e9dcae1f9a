// Two streams side by side on the page of the real service, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const source = { backend: 'synthetic', width_px: 480, height_px: 300, fps: 8, motion: 'orbit' } as const
const lifetime = fileLifetime()
let daemon: Daemon

before(async () => {
  daemon = await site(lifetime).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source })
  await daemon.addStream({ id: 'back', alias: 'Back', source: { ...source, fps: 4 } })
})

test('two streams stand side by side with their figures, and what tells them apart', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare?left=front&right=back' })
  const [left, right] = [page.getByLabel('Left stream'), page.getByLabel('Right stream')]

  await left.getByRole('img', { name: 'Front', exact: true }).waitFor()
  await right.getByRole('img', { name: 'Back', exact: true }).waitFor()
  await page.getByText(/\d+ ms apart/).waitFor()
  await left
    .getByText(/^\d\.\d\dm$/)
    .first()
    .waitFor()
})

test('the same stream stands on both sides, of the same frame or so many apart', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare?left=front&right=back' })

  await page.getByRole('combobox', { name: 'Right' }).selectOption({ label: 'Front' })
  await page.getByText(/the same frame|\d+ frames? apart/).waitFor()

  assert.equal(new URL(page.url()).searchParams.get('right'), 'front')
})

/** Which frame is drawn on a side, by the bytes of its picture without what is drawn over it. */
const drawnOn = (page: Page, side: 'Left' | 'Right'): Promise<string> =>
  page.evaluate(`(async () => {
    const shown = document.querySelector('[aria-label="${side} stream"] .live-picture canvas')
    const copy = new OffscreenCanvas(48, 30).getContext('2d')
    copy.drawImage(shown, 0, 0, 48, 30)
    return [...copy.getImageData(0, 0, 48, 30).data].join()
  })()`)

/** Holds both sides once some frames are kept that both have; how many. */
const holdSome = async (page: Page): Promise<number> => {
  const hold = page.getByRole('group', { name: 'Hold' })
  const held = async () => {
    await hold.getByRole('button', { name: 'Hold the frame' }).click()
    const said = await hold.getByText(/^frame \d+ of the last \d+$|^no frame/).textContent()
    const [, at, count] = /^frame (\d+) of the last (\d+)$/.exec(String(said)) ?? []
    if (Number(at) >= 4) return Number(count)
    await hold.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('img', { name: 'Front', exact: true }).first().waitFor()
    return 0
  }
  return await until('some frames that both have', held)
}

test('both sides are held on one frame, step back together, and go on', async (t) => {
  const { page } = await openPage(t, daemon.url, {
    path: '/streams/compare?left=front&right=front&hide=tags,axes,crosshair',
  })
  const hold = page.getByRole('group', { name: 'Hold' })
  await page.getByText(/the same frame|\d+ frames? apart/).waitFor()
  const same = async () => {
    await page.getByText('the same frame').waitFor()
    return await until(
      'one picture on both sides',
      () => Promise.all([drawnOn(page, 'Left'), drawnOn(page, 'Right')]),
      ([left, right]) => left === right,
    )
  }

  const count = await holdSome(page)
  const [newest] = await same()
  await page.getByRole('img', { name: 'Front: held' }).first().waitFor()
  await hold.getByRole('button', { name: 'Earlier frame' }).click()
  await hold.getByText(`frame ${count - 1} of the last ${count}`).waitFor()
  await until('another picture', async () => (await drawnOn(page, 'Left')) !== newest)
  const [earlier] = await same()
  await page.keyboard.press('ArrowRight')
  await hold.getByText(`frame ${count} of the last ${count}`).waitFor()
  await until('the newest again', async () => (await drawnOn(page, 'Left')) === newest)
  assert.notEqual(earlier, newest)
  assert.deepEqual((await same())[1], newest)

  await hold.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('img', { name: 'Front', exact: true }).first().waitFor()
  await until('a picture after it', async () => (await drawnOn(page, 'Left')) !== newest)
})

const A_FRAME_MS = 125 // of the left one; the right one has one in 250

test('two streams are held on the frames that were taken nearest to each other', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare?left=front&right=back' })
  const hold = page.getByRole('group', { name: 'Hold' })
  await page.getByText(/\d+ ms apart/).waitFor()

  const heldApartMs = async () => {
    await holdSome(page)
    await page.getByRole('img', { name: 'Front: held' }).waitFor()
    await page.getByRole('img', { name: 'Back: held' }).waitFor()
    await page.getByText(/Tag in both|no tag that both see|Neither of them/).waitFor() // both facts are of held frames
    const apart = /^(\d+) ms apart/.exec(String(await page.getByText(/\d+ ms apart/).textContent()))?.[1]
    if (Number(apart) > A_FRAME_MS) await hold.getByRole('button', { name: 'Go on' }).click()
    return Number(apart)
  }

  // not so where the newest of one side has not come yet, or a busy machine has left frames out
  await until('two frames of nearly the same moment', heldApartMs, (ms) => ms <= A_FRAME_MS)
  await page.getByRole('combobox', { name: 'Right' }).selectOption({ label: 'Front' })
  await hold.getByRole('button', { name: 'Hold the frame' }).waitFor()
})

test('the page can be used by everybody, in each look', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare' })
  await page.getByRole('heading', { name: 'Left less right' }).waitFor()

  for (const { name, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    assert.deepEqual(await inaccessible(page), [], `${colorScheme} on a ${name}`)
  }
})
