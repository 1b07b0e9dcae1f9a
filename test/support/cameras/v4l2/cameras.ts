// Emulated USB cameras for tests (tier 1): a preloaded library of our own answers for their nodes in every program that
// is started with it, be it an engine, the program native/addon/build/cameras or the whole service. It tests how we
// read V4L2, not a real driver.
//
//   const usb = emulatedUsb(t) // a tree of /sys and /dev of its own, and the library, built when its sources changed
//   usb.useHere(t) // what this process starts from now on sees it; for a service: site(t, undefined, usb.environment)
//
//   // At the first free port and number; { port: '1-1.3', number: 4, serial: 'A1' } says where.
//   const camera = usb.plug(cameraModels.webCamera)
//   camera.device // its node, to be opened: .../dev/video0
//   camera.showTag(7) // painted pictures have that tag in their middle, from the next one on
//   camera.showPictures([jpeg, other]) // or these bytes, one after the other and again: number n is sequence % 2
//   camera.paceByHand(); camera.take(3) // three pictures, and no more
//
//   // Misbehave; the fields and what they mean: shim/state.h.
//   camera.state.set('stream_on_error', constants.errno.ENOSPC)
//
//   // The same unit, with its controls as they come from the factory.
//   camera.unplug(); camera.plug({ number: 4 })
//   camera.control(CONTROL.gain); camera.state.get('streamer') // what the camera sees
//
// A camera has two nodes, as a UVC camera has: the second, of its metadata, gives no pictures.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../processes/daemon.ts'
import { type CameraModel, descriptionOf } from './models.ts'
import { CameraState } from './state.ts'
import { addUsbCamera } from './usb-tree.ts'

const SOURCES = fileURLToPath(new URL('.', import.meta.url))
const BUILD = fileURLToPath(new URL('../../../../native/addon/build/emulated-cameras', import.meta.url))
const LIBRARY = join(BUILD, 'emulated-cameras.so')
const FIRST_LINE = 'vedette emulated camera'

const VIDEO_CAPTURE = 0x1
const META_CAPTURE = 0x800000
const STREAMING = 0x4000000

let isBuilt = false

/** One make at a time: test files run side by side. */
const build = (): void => {
  if (isBuilt) return
  mkdirSync(BUILD, { recursive: true })
  execFileSync('flock', [BUILD, 'make', '-s', '-C', SOURCES], { stdio: ['ignore', 'ignore', 'inherit'] })
  isBuilt = true
}

/** Where a camera is plugged in. number: of its first node. */
export interface Place {
  readonly port?: string
  readonly number?: number
  readonly serial?: string | null
}

/** The USB of a machine that exists only in a folder; it ends with the test. */
export interface EmulatedUsb {
  /** What a program that shall see it has in its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Programs that this process starts during the test see it. */
  readonly useHere: (t: TestContext) => void
  readonly plug: (model: CameraModel, place?: Place) => EmulatedCamera
}

/** An empty one. */
export const emulatedUsb = (t: Pick<TestContext, 'after'>): EmulatedUsb => {
  build()
  const root = temporaryFolder()
  const [sysfs, dev] = [join(root, 'sys'), join(root, 'dev')]
  for (const folder of [join(sysfs, 'class/video4linux'), join(sysfs, 'bus/usb/devices'), dev])
    mkdirSync(folder, { recursive: true })
  const environment = { LD_PRELOAD: LIBRARY, VEDETTE_SYSFS_ROOT: sysfs, VEDETTE_DEV_ROOT: dev }
  const units: EmulatedCamera[] = []
  t.after(() => {
    for (const unit of units) unit.unplug()
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  })
  return {
    environment,
    useHere: (test) => {
      const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
      Object.assign(process.env, environment)
      test.after(() => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      })
    },
    plug: (model, place = {}) => {
      const camera = new EmulatedCamera(model, { root, sysfs, dev }, units.length)
      units.push(camera)
      camera.plug(place)
      return camera
    },
  }
}

interface Roots {
  readonly root: string
  readonly sysfs: string
  readonly dev: string
}

/** One unit: what stays the same wherever it is plugged in. */
export class EmulatedCamera {
  readonly model: CameraModel
  readonly #roots: Roots
  readonly #folder: string
  readonly #unit: number
  #place: Required<Place>
  #state: CameraState | undefined
  #takeOut = () => {}
  #plugged = 0
  #versions = 0
  #nodes: readonly string[] = []

  constructor(model: CameraModel, roots: Roots, unit: number) {
    this.model = model
    this.#roots = roots
    this.#unit = unit
    this.#folder = join(roots.root, 'units', String(unit))
    this.#place = { port: `1-1.${unit + 1}`, number: 2 * unit, serial: null }
    mkdirSync(join(this.#folder, 'pictures'), { recursive: true })
  }

  /** Its node; while it is unplugged, the one that it had. */
  get device(): string {
    return join(this.#roots.dev, `video${this.#place.number}`)
  }

  get port(): string {
    return this.#place.port
  }

  get isPlugged(): boolean {
    return this.#state !== undefined
  }

  /** Of the present plugging-in; a new one begins with nothing set but the pictures. */
  get state(): CameraState {
    if (!this.#state) throw new Error('the camera is not plugged in')
    return this.#state
  }

  /** What is not said stays as it was. */
  plug(place: Place = {}): void {
    if (this.#state) throw new Error('the camera is plugged in already')
    const { model, port, serial, number } = { model: this.model, ...this.#place, ...place }
    this.#place = { port, serial, number }
    this.#plugged += 1
    const capture = join(this.#folder, String(this.#plugged))
    const metadata = `${capture}-metadata`
    const controls = model.controls.map(({ initial }) => initial)
    this.#state = new CameraState(join(this.#folder, `state-${this.#plugged}`), controls)
    this.#state.set('pictures_version', this.#versions)
    this.#nodes = [`video${number}`, `video${number + 1}`]
    for (const [folder, caps] of [
      [capture, VIDEO_CAPTURE],
      [metadata, META_CAPTURE],
    ] as const) {
      mkdirSync(folder)
      writeFileSync(
        join(folder, 'description'),
        descriptionOf(model, `usb-fc800000.usb-${port.split('-')[1]}`, caps | STREAMING),
      )
    }
    const unit = { model, port, serial, number: this.#unit + 2 + this.#plugged }
    this.#takeOut = addUsbCamera(this.#roots.sysfs, unit, this.#nodes)
    for (const [index, node] of this.#nodes.entries()) {
      const lines = [FIRST_LINE, index === 0 ? capture : metadata, this.#state.path]
      writeFileSync(join(this.#roots.dev, node), `${lines.join('\n')}\n`)
    }
  }

  /** Whoever has it open hears of it at once. */
  unplug(): void {
    if (!this.#state) return
    for (const node of this.#nodes) rmSync(join(this.#roots.dev, node), { force: true })
    this.#takeOut()
    this.#state.set('is_gone', 1)
    this.#state.close()
    this.#state = undefined
  }

  /** From the next picture on. id: of the family tag36h11. */
  showTag(id: number): void {
    this.#lay([])
    this.state.set('tag_id', id)
  }

  /** These bytes, as they are, one after the other and again. */
  showPictures(pictures: readonly Uint8Array[]): void {
    this.#lay(pictures)
  }

  /** Pictures come only when they are taken. */
  paceByHand(): void {
    this.state.set('is_paced_by_hand', 1)
  }

  /** So many more pictures, while it streams. */
  take(pictures: number): void {
    this.state.set('pictures_due', this.state.get('pictures_due') + pictures)
  }

  /** The present value, in the camera's own unit. */
  control(id: number): number {
    return this.state.control(this.model.controls.findIndex((control) => control.id === id))
  }

  #lay(pictures: readonly Uint8Array[]): void {
    this.#versions += 1
    for (const [index, bytes] of pictures.entries())
      writeFileSync(join(this.#folder, 'pictures', `${this.#versions}-${index}`), bytes)
    this.#state?.set('pictures_version', this.#versions)
  }
}
