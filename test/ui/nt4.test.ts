// The link to the robot and its topics on the page: a real service, a robot on a real server, a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime, type Lifetime } from '../support/lifetime.ts'
import { nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const FAKE = { VEDETTE_ENGINE: 'fake' }
const SOURCE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const

interface Nt4 {
  readonly revision: number
  readonly spec: { readonly target: string; readonly team: number | null }
  readonly status: { readonly connected: boolean }
}

const nt4Of = (daemon: Daemon) => daemon.get<Nt4>('/v1/device/nt4')

/** A service that is the server, and a robot program on it. */
const withRobot = async (t: Lifetime) => {
  const daemon = await site(t, undefined, FAKE).start({ nt4: 'serve:127.0.0.1:0' })
  await until(
    'the link',
    () => nt4Of(daemon),
    ({ status }) => status.connected,
  )
  const robot = await nt4Lab(t).connect(daemon.nt4Port, 'robot')
  const handle = robot.publish('/SmartDashboard/Speed', 'double')
  const place = robot.publish('/SmartDashboard/Place', 'struct:Place')
  const layout = robot.publish('/.schema/struct:Place', 'structschema')
  const long = robot.publish('/SmartDashboard/Long', 'double[]')
  robot.publish('/SmartDashboard/Silent', 'string')
  const pipeline = robot.publish('/limelight/pipeline', 'double')
  robot.write([
    [handle, 1.5],
    [place, new Uint8Array(Float64Array.of(1.25, -2).buffer)],
    [layout, new TextEncoder().encode('double x; double y')],
    [long, Float64Array.from({ length: 200 }, (_, n) => n)],
    [pipeline, 1],
  ])
  await daemon.addStream({ id: 'front', alias: 'Front', source: SOURCE })
  return {
    daemon,
    robot,
    say: (value: number) => robot.write([[handle, value]]),
    sayLong: (from: number) => robot.write([[long, Float64Array.from({ length: 200 }, (_, n) => from + n)]]),
  }
}

const lifetime = fileLifetime()
const shared = withRobot(lifetime)

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })

const openFolder = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }).click()

test('the topics of the robot are a tree, and what it writes is there without loading again', async (t) => {
  const { daemon, say } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/nt4' })

  await openFolder(page, 'SmartDashboard')
  await row(page, 'Speed').getByText('1.5', { exact: true }).waitFor()
  say(-7.25)

  await row(page, 'Speed').getByText('\u22127.25', { exact: true }).waitFor()
  await row(page, 'Place').getByText('{ x: 1.25, y: \u22122 }', { exact: true }).waitFor()
  await row(page, 'Silent').getByText('nothing was written yet').waitFor()
  say(1.5)
})

test('a topic that was pressed shows its last values as a plot, its address leads there, and back works', async (t) => {
  const { daemon, say } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/nt4?search=smartdashboard' })

  await page.getByRole('button', { name: 'Speed', exact: true }).click()
  const detail = page.getByRole('region', { name: 'Topic /SmartDashboard/Speed' })
  for (const value of [2, 3]) {
    say(value)
    await detail.getByText(String(value), { exact: true }).waitFor()
  }

  await detail.getByRole('img', { name: 'Plot of /SmartDashboard/Speed' }).waitFor()
  assert.match(page.url(), /topic=%2FSmartDashboard%2FSpeed/)
  await page.reload()
  await detail.getByText('3', { exact: true }).waitFor()
  say(1.5)
})

test('of a long array all is shown when it is asked for, and said to be old once it is', async (t) => {
  const { daemon, sayLong } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/nt4?topic=%2FSmartDashboard%2FLong' })

  const detail = page.getByRole('region', { name: 'Topic /SmartDashboard/Long' })
  await detail.getByText('200 elements').waitFor()
  await detail.getByRole('button', { name: 'Show all of it' }).click()

  await detail.getByText(/\b199\b/).waitFor()
  assert.equal(await detail.getByText('may be old by now').count(), 0)
  sayLong(1000)
  await detail.getByText('may be old by now').waitFor()
  await detail.getByRole('button', { name: 'Show all of it' }).click()
  await detail.getByText(/\b1199\b/).waitFor()
  await detail.getByText('may be old by now').waitFor({ state: 'detached' })
})

test('what this device publishes and what the robot writes to it can be shown alone', async (t) => {
  const { daemon } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/nt4' })

  await page.getByLabel('Show').selectOption('published by this device')
  await row(page, 'tv').waitFor()
  assert.equal(await row(page, 'Speed').count(), 0)
  await page.getByLabel('Show').selectOption('written to this device')
  await row(page, 'pipeline').waitFor()

  assert.equal(await row(page, 'tv').count(), 0)
})

test('of a server that only programs on this device reach people are told so', async (t) => {
  const { daemon } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/nt4' })

  await page.getByText(/The server listens at 127\.0\.0\.1:\d+\. Only programs on this device reach it/).waitFor()
  const kinds = page.getByLabel('Looked for', { exact: true })
  await kinds.selectOption('at an address')
  await kinds.selectOption('this device is the server')

  await page.getByText(/Left empty, 127\.0\.0\.1:5810, which only programs on this device reach/).waitFor()
})

test('what the robot sets on its camera stands on the page of the stream until the robot takes it back', async (t) => {
  const { daemon, robot } = await shared
  const throttle = robot.publish('/limelight/throttle_set', 'double')
  const ids = robot.publish('/limelight/fiducial_id_filters_set', 'double[]')
  robot.write([
    [throttle, 2],
    [ids, [7, 8]],
  ])
  const { page } = await openPage(t, daemon.url, { path: '/streams/front' })
  const note = page.getByRole('status').filter({ hasText: 'The robot has set' })

  await note.getByText(/only every 3rd frame is processed; its place is solved from tags 7, 8 alone/).waitFor()
  robot.write([
    [throttle, 0],
    [ids, []],
  ])

  await note.waitFor({ state: 'detached' })
})

test('the steps to a link are all done when there is one', async (t) => {
  const { daemon } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/nt4' })

  const steps = page.getByRole('list', { name: 'Steps to a link' }).getByRole('listitem')
  await steps.getByText('NT 4.1').waitFor()

  assert.deepEqual(await steps.locator('.pill').allTextContents(), ['done', 'done', 'done', 'done'])
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the page of the robot can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { daemon } = await shared
    const path = '/nt4?search=SmartDashboard&topic=%2FSmartDashboard%2FSpeed'
    const { page } = await openPage(t, daemon.url, { path, viewport, colorScheme })
    await row(page, 'Speed').waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })

test('the step that fails is lit with the words of the service, and a robot that comes back is linked', async (t) => {
  const lab = nt4Lab(t)
  const port = await freePort()
  const daemon = await site(t, undefined, FAKE).start({ nt4: `127.0.0.1:${port}` })
  const { page } = await openPage(t, daemon.url, { path: '/nt4' })
  const failing = page.getByRole('listitem').filter({ hasText: 'Reached' })
  await failing.getByText('failed', { exact: true }).waitFor()
  await page
    .getByText(/is the robot on and the address right\?/)
    .first()
    .waitFor()

  const server = await lab.serve({ port })
  const robot: Nt4Session = await lab.connect(port, 'robot')
  robot.write([[robot.publish('/SmartDashboard/Speed', 'double'), 4]])

  await failing.getByText('done', { exact: true }).waitFor()
  await openFolder(page, 'SmartDashboard')
  await row(page, 'Speed').getByText('4', { exact: true }).waitFor()
  await lab.end(server)
  await page.getByText('What stands below is as it was when there was a link.').waitFor()
  await row(page, 'Speed').getByText('4', { exact: true }).waitFor()
})

test('the team is set; one that somebody else has set meanwhile is shown with a choice', async (t) => {
  const daemon = await site(t, undefined, FAKE).start()
  const { page } = await openPage(t, daemon.url, { path: '/nt4', expected: [/\b4\d\d\b/] })
  const team = page.getByLabel('Team', { exact: true })
  const set = page.getByRole('button', { name: 'Set the team' })

  await team.fill('1234')
  await set.click()
  await page.getByText(/^applied, revision \d+$/).waitFor()
  assert.equal((await nt4Of(daemon)).spec.team, 1234)

  await team.fill('5678')
  await daemon.send('POST', '/v1/device/team', { team: 9012 })
  await page.getByText('revision 2', { exact: true }).waitFor()
  await set.click()
  await page.getByText('Somebody else changed it. Theirs: 9012. Yours: 5678.').waitFor()
  await page.getByRole('button', { name: 'Set mine' }).click()
  await until(
    'ours',
    () => nt4Of(daemon),
    ({ spec }) => spec.team === 5678,
  )
})

test('where the robot is looked for is set, and an address that makes no sense is refused in its words', async (t) => {
  const daemon = await site(t, undefined, FAKE).start()
  const { page } = await openPage(t, daemon.url, { path: '/nt4', expected: [/\b4\d\d\b/] })
  const set = page.getByRole('button', { name: 'Set where the robot is looked for' })

  await page.getByLabel('Looked for', { exact: true }).selectOption('at an address')
  await page.getByLabel('Addresses').fill('no/address')
  await set.click()
  await page.getByRole('alert').filter({ hasText: 'the body does not fit: /target' }).waitFor()
  await page.getByLabel('Addresses').fill(`127.0.0.1:${await freePort()}`)
  await set.click()

  await page.getByText(/^applied, revision \d+$/).waitFor()
  assert.match((await nt4Of(daemon)).spec.target, /^127\.0\.0\.1:\d+$/)
})
