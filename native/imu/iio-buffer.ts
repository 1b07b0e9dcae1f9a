// The buffer of an IIO device: what is set so that the kernel stamps samples and hands them over, and taken back later.

import { constants } from 'node:fs'
import { mkdir, open, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { layoutOf, parseScanType, type ScanChannel, type ScanLayout } from '../../machines/imu/scan-layout.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import { imuFailed } from './iio-channels.ts'
import { AXES, type IioDevice } from './iio-devices.ts'

/** Where it is done. */
export interface BufferParts {
  readonly files: SystemFiles
  /** The folder below which the paths of the system lie. */
  readonly root: string
}

/** A buffer that hands over. */
export interface RunningBuffer {
  readonly layout: ScanLayout
  readonly close: () => Promise<void>
}

/** Batches in a second: fresh enough for what follows frames, and few enough to cost little. */
const BATCHES_HZ = 100
const KEPT_S = 1 // what the kernel keeps while this process is busy
const IIO = '/sys/bus/iio/devices'
const HRTIMERS = '/sys/kernel/config/iio/triggers/hrtimer'

/** Whether it was written. */
export const writer =
  ({ files }: Pick<BufferParts, 'files'>) =>
  (path: string, text: string): Promise<boolean> =>
    Effect.runPromise(Effect.match(files.write(path, text), { onSuccess: () => true, onFailure: () => false }))

/** Why its device file cannot be read; null: it can. */
const flawOfNode = async ({ root }: BufferParts, { node, name }: IioDevice): Promise<Fault | null> => {
  try {
    await using _ = await open(join(root, 'dev', node), constants.O_RDONLY | constants.O_NONBLOCK)
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EBUSY') return imuFailed(`Another program reads the IMU ${name} (/dev/${node}); end that one.`)
    if (code === 'EACCES' || code === 'EPERM')
      return imuFailed(`This service may not read /dev/${node}; let its user into the group that owns that file.`)
    return imuFailed(`The IMU ${name} cannot be read: ${message}.`)
  }
}

/** The trigger that a device needs. made: a folder that was made for it. null: none is to be had. */
const triggerFor = async (
  parts: BufferParts,
  device: IioDevice,
  rateHz: number,
): Promise<{ readonly name: string; readonly made: string | null } | null> => {
  const { files, root } = parts
  const triggers = (await files.names(IIO)).filter((each) => /^trigger\d+$/.test(each))
  const named = await Promise.all(
    triggers.map(async (folder) => ({ folder, name: await files.text(`${IIO}/${folder}/name`) })),
  )
  const number = /\d+$/.exec(device.node)?.[0]
  const own = named.find(({ name }) => name?.endsWith(`-dev${number}`))
  if (own?.name) return { name: own.name, made: null }
  const name = `vedette-${device.node.replace(/\W/g, '-')}`
  const folder = join(root, HRTIMERS, name)
  try {
    await mkdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return null
  }
  for (const trigger of (await files.names(IIO)).filter((each) => /^trigger\d+$/.test(each)))
    if ((await files.text(`${IIO}/${trigger}/name`)) === name) {
      await writer(parts)(`${IIO}/${trigger}/sampling_frequency`, String(rateHz))
      return { name, made: folder }
    }
  await rmdir(folder).catch(() => {})
  return null
}

/** The channels that are in the samples by now, as the kernel says. */
const enabledChannels = async ({ files }: BufferParts, device: IioDevice): Promise<readonly ScanChannel[] | Fault> => {
  const folder = `${device.path}/${device.scanFolder}`
  const names = (await files.names(folder)).filter((each) => each.endsWith('_en')).map((each) => each.slice(0, -3))
  const channels: ScanChannel[] = []
  for (const name of names) {
    if ((await files.text(`${folder}/${name}_en`)) !== '1') continue
    const index = numberIn(await files.text(`${folder}/${name}_index`))
    const said = (await files.text(`${folder}/${name}_type`)) ?? ''
    const type = parseScanType(said)
    if (index === null || !type)
      return imuFailed(
        `The IMU ${device.name} lays out its channel ${name} as ${JSON.stringify(said)}, which is unknown.`,
      )
    channels.push({ name: name.replace(/^in_/, ''), index, type })
  }
  return channels
}

/** Chooses the channels of the kinds that are wanted of this device, and the time. */
const chooseChannels = async (parts: BufferParts, device: IioDevice, wanted: ReadonlySet<string>): Promise<void> => {
  const folder = `${device.path}/${device.scanFolder}`
  const write = writer(parts)
  const switches = (await parts.files.names(folder)).filter((each) => each.endsWith('_en'))
  for (const each of switches) if (!wanted.has(each)) await write(`${folder}/${each}`, '0')
  for (const each of switches) if (wanted.has(each)) await write(`${folder}/${each}`, '1')
}

/** Sets it up and switches it on. Null: it has none that works, so that its files have to be read. */
export const startBuffer = async (
  parts: BufferParts,
  device: IioDevice,
  rateHz: number,
): Promise<RunningBuffer | Fault | null> => {
  if (!device.scanFolder) return null
  const busy = await flawOfNode(parts, device)
  if (busy) return busy
  const write = writer(parts)
  const at = (name: string) => `${device.path}/${device.bufferFolder}/${name}`
  await write(at('enable'), '0')
  await write(`${device.path}/current_timestamp_clock`, 'monotonic')
  let made: string | null = null
  if (device.names.has('trigger') && !(await parts.files.text(`${device.path}/trigger/current_trigger`))) {
    const trigger = await triggerFor(parts, device, rateHz)
    if (!trigger || !(await write(`${device.path}/trigger/current_trigger`, trigger.name))) return null
    made = trigger.made
  }
  const close = async () => {
    await write(at('enable'), '0')
    if (!made) return
    await write(`${device.path}/trigger/current_trigger`, '\n')
    await rmdir(made).catch(() => {})
  }
  const axes = device.kinds.flatMap((kind) => AXES.map((axis) => `in_${kind}_${axis}_en`))
  await chooseChannels(parts, device, new Set([...axes, 'in_timestamp_en']))
  const channels = await enabledChannels(parts, device)
  if (isFault(channels)) {
    await close()
    return channels
  }
  const isWhole = axes.every((each) => channels.some(({ name }) => `in_${name}_en` === each))
  const perBatch = Math.max(1, Math.round(rateHz / BATCHES_HZ))
  await write(at('length'), String(Math.max(4 * perBatch, Math.ceil(KEPT_S * rateHz))))
  await write(at('watermark'), String(perBatch))
  if (!isWhole || !(await write(at('enable'), '1'))) {
    await close()
    return null
  }
  return { layout: layoutOf(channels), close }
}
