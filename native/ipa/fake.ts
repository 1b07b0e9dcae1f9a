// Tuning files of a made-up device with a sensor on its ribbon cable; nothing of it is on a disk.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { PATCHES } from '../../machines/ipa/chart.ts'
import type { ChartLook, PixelPoint } from '../../machines/ipa/chart-look.ts'
import { encoded, linearOfLab } from '../../machines/ipa/colour-space.ts'
import type { FoundTuning, OwnCopy } from '../../machines/ipa/places.ts'
import { OWN_FOLDER } from '../../machines/ipa/places.ts'
import { MADE_UP_TUNING } from './made-up-tuning.ts'
import type { ChartFinder, IpaPort } from './port.ts'
import { receivePicture } from './receive.ts'

const MODULE = 'rpi/vc4'

export class FakeIpa implements IpaPort {
  /** By path: text of which each character is a byte. */
  readonly files = new Map<string, string>()
  readonly copies: OwnCopy[] = []
  /** Models of sensors that are there. */
  sensors: string[] = []
  /** Why nothing is written or removed, while it is set. */
  fault: Fault | null = null
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => 0) {
    this.#nowMs = nowMs
  }

  readonly look = Effect.sync(() => ({
    files: [...this.files.keys()].sort().map(placed),
    copies: [...this.copies],
    sensors: [...this.sensors],
    modules: [MODULE],
  }))

  readonly bytes = (path: string) =>
    Effect.sync(() => {
      const text = this.files.get(path)
      return text === undefined ? null : Buffer.from(text, 'latin1')
    })

  readonly put = (path: string, bytes: Uint8Array) =>
    this.#unlessBroken(() => {
      this.#forget(path)
      this.files.set(path, Buffer.from(bytes).toString('latin1'))
      this.copies.push({ path, made_at_ms: this.#nowMs() })
    })

  readonly remove = (path: string) =>
    this.#unlessBroken(() => {
      this.#forget(path)
      this.files.delete(path)
    })

  #unlessBroken(act: () => void): Effect.Effect<void, Fault> {
    return Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.sync(act)))
  }

  #forget(path: string): void {
    const at = this.copies.findIndex((each) => each.path === path)
    if (at >= 0) this.copies.splice(at, 1)
  }
}

/** `/etc` stands before `/usr`, as libcamera looks for them. */
const placed = (path: string): FoundTuning => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [sensor = '', format] = name.split('.')
  const module = path.split('/ipa/')[1]?.slice(0, -name.length - 1) ?? MODULE
  return {
    path,
    module,
    sensor,
    format: format === 'yaml' ? 'yaml' : 'json',
    place: path.startsWith(OWN_FOLDER) ? 'own' : 'package',
  }
}

/** As a Raspberry Pi 4 with one camera has them. */
export const believableIpa = (nowMs?: () => number): FakeIpa => {
  const ipa = new FakeIpa(nowMs)
  const folder = '/usr/share/libcamera/ipa'
  for (const sensor of ['imx219', 'imx477', 'ov5647'])
    ipa.files.set(`${folder}/${MODULE}/${sensor}.json`, MADE_UP_TUNING)
  ipa.files.set(`${folder}/rkisp1/imx219.yaml`, '%YAML 1.1\n---\nversion: 1\nalgorithms:\n  - Agc:\n...\n')
  ipa.sensors = ['imx219']
  return ipa
}

/** A chart as a camera without a matrix sees it in the light of a lamp. */
const seenChart: ChartLook = {
  width_px: 640,
  height_px: 480,
  found_by: 'search',
  corners: [
    { x: 100, y: 100 },
    { x: 520, y: 100 },
    { x: 520, y: 380 },
    { x: 100, y: 380 },
  ],
  patches: PATCHES.map(({ lab }) => {
    const [r, g, b] = linearOfLab(lab.after_2014)
    const dull = [0.6 * r + 0.3 * g + 0.1 * b, 0.2 * r + 0.7 * g + 0.1 * b, 0.05 * r + 0.3 * g + 0.65 * b]
    const [red, green, blue] = dull.map((each) => encoded(0.8 * Math.max(each, 0.002))) as [number, number, number]
    return { rgb: [red, green, blue], clipped: 0, pixels: 400 }
  }),
}

/** Sees the same chart in every picture. */
export class FakeChartFinder implements ChartFinder {
  /** What is seen; a fault: why nothing is. */
  seen: ChartLook | Fault = seenChart
  /** What was asked: the corners that were given. */
  readonly asked: (readonly PixelPoint[] | null)[] = []
  readonly receive = receivePicture

  readonly find = (_: Uint8Array, corners: readonly PixelPoint[] | null) =>
    Effect.suspend((): Effect.Effect<ChartLook, Fault> => {
      this.asked.push(corners)
      return 'code' in this.seen ? Effect.fail(this.seen) : Effect.succeed(this.seen)
    })
}
