// What there is to know of the disk with the data folder.
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import { mountOf } from './proc-texts.ts'

/** What changes seldom. */
export type DiskFacts = Pick<SystemMetrics['disk'], 'read_only' | 'wear_percent' | 'errors'>

export const NO_DISK_FACTS: DiskFacts = { read_only: null, wear_percent: null, errors: null }

/** folder: the data folder, its real path. Never fails. */
export const readDiskFacts = async (files: SystemFiles, folder: string): Promise<DiskFacts> => {
  const mount = mountOf(await files.text('/proc/self/mountinfo'), folder)
  if (!mount) return NO_DISK_FACTS
  const place = await files.place(`/sys/dev/block/${mount.device}`)
  return {
    read_only: mount.isReadOnly,
    wear_percent: place === null ? null : wearIn(await files.text(`${chipOf(place)}/life_time`)),
    errors: place === null ? null : await errorsOf(files, place.split('/').at(-1) as string),
  }
}

/** `.../mmc_host/mmc0/mmc0:0001/block/mmcblk0/mmcblk0p2` lies in the folder of its chip. */
const chipOf = (place: string): string => place.split('/block/')[0] as string

const errorsOf = async (files: SystemFiles, device: string): Promise<number | null> => {
  const count = numberIn(await files.text(`/sys/fs/ext4/${device}/errors_count`))
  return count !== null && Number.isInteger(count) && count >= 0 ? count : null
}

const STEP_PERCENT = 10
const WORN_OUT = 0x0b

/** Two figures of a chip, of its two sorts of memory: 0x01 for up to a tenth used, 0x0B for more than all. */
const wearIn = (text: string | null): number | null => {
  const [, one, other] = /^0x([\da-f]{2}) 0x([\da-f]{2})$/i.exec(text ?? '') ?? []
  const steps = [one, other].map((each) => Number.parseInt(each ?? '', 16)).filter((each) => each > 0)
  if (steps.length === 0 || steps.some((each) => each > WORN_OUT)) return null
  return Math.min(100, Math.max(...steps) * STEP_PERCENT)
}
