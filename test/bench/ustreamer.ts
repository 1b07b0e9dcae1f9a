// Showing a camera's own JPEG to many, against Debian's ustreamer: the same emulated camera for each, the same bytes, the same readers, turn about in one run.
// What both use without viewers, for the camera and, ours, the pipeline, is not counted.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { emulatedUsb } from '../support/v4l2/cameras.ts'
import { cameraModels } from '../support/v4l2/models.ts'
import { perSecond, SECONDS, seenBy } from './audience.ts'
import { addStream, type Daemon, startDaemon } from './daemon.ts'
import { sourceOn } from './emulated.ts'
import { CORNER, ID, ours, usageOf } from './fanout.ts'
import { type Helper, type Lab, type Measurement, start } from './lab.ts'
import { processCpuUs } from './processes.ts'
import { type Row, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const ROUNDS = 4
const CROWDS = [1, 4, 32]
const MODE = { pixel_format: 'mjpeg', width_px: 1280, height_px: 800, fps: 30 } as const

/** µs of CPU for each picture and viewer. */
interface Turn {
  readonly oursUs: number
  readonly theirsUs: number
}

export const ustreamer: Measurement = async (lab) => {
  if (!isInstalled())
    throw new Error('this is measured against ustreamer; please install the Debian package of that name')
  const synthetic = { source: { backend: 'synthetic', fps: 10 }, pose: MOUNT } as const
  const [picture] = (await renderJpegs(lab, { manifest: synthetic, name: 'picture', count: 1 })) as [string]
  const usb = emulatedUsb({ after: lab.defer })
  const cameras = [
    usb.plug(cameraModels.globalShutter, { serial: 'A' }),
    usb.plug(cameraModels.globalShutter, { serial: 'B' }),
  ] as const
  for (const camera of cameras) camera.showPictures([readFileSync(picture)])
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), env: usb.environment })
  await addStream(daemon, {
    id: ID,
    internal: true,
    source: await sourceOn(daemon, cameras[0].device, MODE),
    pipeline: CORNER,
  })
  const theirs = await startUstreamer(lab, cameras[1].device, usb.environment)
  const turns = new Map<number, Turn[]>(CROWDS.map((count) => [count, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [count, found] of turns) {
      const turn = { oursUs: await oursUs(lab, daemon, count), theirsUs: await theirsUs(lab, theirs, count) }
      found.push(turn)
      lab.say(
        `${count} viewers: ${turn.oursUs.toFixed(1)} against ${turn.theirsUs.toFixed(1)} µs per picture and viewer`,
      )
    }
  }
  return [...turns].flatMap(([count, found]) => rowsOf(count, found))
}

const rowsOf = (count: number, turns: readonly Turn[]): Row[] => {
  const from = `${turns.length} rounds of ${SECONDS} s`
  const what = `CPU of all our processes per picture and viewer, ${count} at 30 fps, against ustreamer`
  return [
    {
      ...{ what, unit: '', figure: { atMost: 0.25 }, from },
      ...spread(turns.map(({ oursUs, theirsUs }) => oursUs / theirsUs)),
    },
    { ...{ what: '  ours', unit: 'µs', from }, ...spread(turns.map(({ oursUs }) => oursUs)) },
    { ...{ what: '  ustreamer', unit: 'µs', from }, ...spread(turns.map(({ theirsUs }) => theirsUs)) },
  ]
}

const isInstalled = (): boolean => {
  try {
    execFileSync('ustreamer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

interface Ustreamer extends Helper {
  readonly port: string
}

const startUstreamer = async (lab: Lab, device: string, env: Readonly<Record<string, string>>): Promise<Ustreamer> => {
  const port = String(await freePort())
  const words = [
    '--device',
    device,
    '--format',
    'MJPEG',
    '--encoder',
    'HW',
    '--resolution',
    '1280x800',
    '--desired-fps',
    '30',
  ]
  // It tells of each viewer, at every level of its log.
  const quiet = ['-c', 'exec ustreamer "$@" 2>/dev/null', 'ustreamer']
  const helper = start(lab, 'sh', [...quiet, ...words, '--host', '127.0.0.1', '--port', port], env)
  for (let n = 0; n < 100; n += 1) {
    await delay(100)
    const state = await fetch(`http://127.0.0.1:${port}/state`).catch(() => undefined)
    if (state?.ok) return { ...helper, port }
  }
  throw new Error('ustreamer does not answer')
}

const oursUs = async (lab: Lab, daemon: Daemon, count: number): Promise<number> => {
  const idle = await usageOf(daemon, () => delay(SECONDS * 1000))
  const { control, script, show, pictures } = await ours(lab, daemon, count)
  return (show + control - idle.control + script - idle.script) / pictures
}

const theirsUs = async (lab: Lab, { pid, port }: Ustreamer, count: number): Promise<number> => {
  const cpuUs = () => processCpuUs(pid)
  const idle = await perSecond(cpuUs, () => delay(SECONDS * 1000))
  const { measured, parts } = await seenBy(lab, { port, path: '/stream', count }, (wait) => perSecond(cpuUs, wait))
  return (measured - idle) / (parts / SECONDS)
}
