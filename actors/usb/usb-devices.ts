// What is known of USB, for all readers: what the last look found, with the cameras and streams that hang there, and
// what became of each switch. Lives as long as the service.
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import { type PowerSwitch, powerSwitches, switchOfDevice } from '../../machines/usb/power-switches.ts'
import { devicesOn, NO_USB, type UsbDeviceFacts, type UsbReading } from '../../machines/usb/reading.ts'
import {
  objectionsTo,
  type StreamOnUsb,
  type UsbPowerOutcome,
  type UsbPowerState,
  type UsbPowerSwitch,
} from '../../machines/usb/usb-power.ts'
import { type FoundCamera, type UsbTree, usbTree } from '../../machines/usb/usb-tree.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'

/** Where cameras and streams are found. */
export interface UsbDevicesParts {
  readonly cameras: Pick<Cameras, 'recognised'>
  readonly streams: Pick<StreamRegistry, 'all'>
}

export class UsbDevices {
  readonly #parts: UsbDevicesParts
  readonly #underWay = new Map<string, UsbPowerState>()
  readonly #off = new Map<string, readonly UsbDeviceFacts[]>()
  readonly #outcomes = new Map<string, UsbPowerOutcome>()
  #reading: UsbReading = NO_USB
  #switches: readonly PowerSwitch[] = []
  #hasLooked = false

  constructor(parts: UsbDevicesParts) {
    this.#parts = parts
  }

  /** Whether anybody has looked since the start. */
  get hasLooked(): boolean {
    return this.#hasLooked
  }

  get reading(): UsbReading {
    return this.#reading
  }

  /** What a look found. The one who looks says so (actors/usb/usb-actor.ts). */
  show(reading: UsbReading): void {
    this.#reading = reading
    this.#switches = powerSwitches(reading)
    this.#hasLooked = true
  }

  tree(): UsbTree {
    return usbTree(this.#reading, this.#switches, this.#cameras())
  }

  switch(id: string): PowerSwitch | undefined {
    return this.#switches.find((each) => each.id === id)
  }

  /** The one that takes a device along; undefined: nothing can. */
  switchOf(path: string): PowerSwitch | undefined {
    return switchOfDevice(this.#switches, path)
  }

  /** All switches as whoever is connected to this address sees them; null: not known. */
  power(address: string | null): readonly UsbPowerSwitch[] {
    const streams = this.streams()
    return this.#switches.map((each) => {
      const devices = [...devicesOn(this.#reading, each.ports), ...this.awayWith(each.id)].map(({ path }) => path)
      return {
        id: each.id,
        name: each.name,
        granularity: each.granularity,
        ports: each.ports.map(({ hub, port }) => ({ hub, port })),
        state: this.stateOf(each.id),
        devices: [...new Set(devices)],
        stream_ids: streams.filter(({ path }) => devices.includes(path)).map(({ stream_id }) => stream_id),
        needs_force: each.granularity === 'none' ? [] : [...objectionsTo(each, this.#reading, { streams, address })],
        last: this.#outcomes.get(each.id) ?? null,
        detail: each.detail,
      }
    })
  }

  /** What speaks against switching it off. */
  objections(found: PowerSwitch, address: string | null, streams = this.streams()): readonly string[] {
    return objectionsTo(found, this.#reading, { streams, address })
  }

  /** Of that only what streams have against it, which is known at any time; the rest is read when it is done. */
  objectionsOfStreams(found: PowerSwitch): readonly string[] {
    const withoutUsers = { ...this.#reading, disks: [], networks: [] }
    return objectionsTo(found, withoutUsers, { streams: this.streams(), address: null })
  }

  /** The streams whose cameras are plugged in over USB. */
  streams(): readonly StreamOnUsb[] {
    const cameras = this.#cameras()
    return this.#parts.streams.all().flatMap((stream) => {
      const path = cameras.find(({ stream_id }) => stream_id === stream.id)?.path
      return path === undefined ? [] : [{ stream_id: stream.id, path, is_live: stream.status().state === 'live' }]
    })
  }

  /** What went when a switch was switched off; empty: it is on, or nothing was there. */
  awayWith(id: string): readonly UsbDeviceFacts[] {
    return this.#off.get(id) ?? []
  }

  isOff(id: string): boolean {
    return this.#off.has(id)
  }

  stateOf(id: string): UsbPowerState {
    return this.#underWay.get(id) ?? (this.isOff(id) ? 'off' : 'on')
  }

  /** An order is being carried out. */
  begin(id: string, state: Extract<UsbPowerState, 'switching' | 'cycling'>): void {
    this.#underWay.set(id, state)
  }

  /** The ports were switched off. away: what went with them. */
  noteOff(id: string, away: readonly UsbDeviceFacts[]): void {
    this.#off.set(id, away)
  }

  noteOn(id: string): void {
    this.#off.delete(id)
  }

  /** The order is over. outcome: what came of it; undefined: it was interrupted. */
  end(id: string, outcome: UsbPowerOutcome | undefined): void {
    this.#underWay.delete(id)
    if (outcome) this.#outcomes.set(id, outcome)
  }

  /** Cameras that are plugged in over USB, by the device in which they are. */
  #cameras(): readonly FoundCamera[] {
    const users = new Map(
      this.#parts.streams.all().flatMap(({ id, manifest }) => {
        const camera = ownCameraOf(manifest.source)
        return camera ? [[camera.camera_uid, id] as const] : []
      }),
    )
    return this.#parts.cameras.recognised.present.flatMap(({ node: { device, usb }, unit: { camera_uid, name } }) =>
      usb ? [{ camera_uid, name, device, stream_id: users.get(camera_uid) ?? null, path: pathOf(usb.folder) }] : [],
    )
  }
}

/** `1-1.3`, of the folder of a device in sysfs. */
export const pathOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1)
