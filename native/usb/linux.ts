// The USB of a Linux system: sysfs for what there is, the kernel's files `disable` or uhubctl for the power. A note in
// the data folder says what was switched off, so that the next run switches it on.
import { watch as watchFolder } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { PowerWay, UsbPortFacts } from '../../machines/usb/reading.ts'
import { writeFileWholeSoon } from '../files/atomic.ts'
import type { ProgramsPort } from '../programs/port.ts'
import type { SystemFiles } from '../system-files/port.ts'
import type { UsbPort } from './port.ts'
import { disableFile, readUsb } from './read.ts'
import { switchByUhubctl } from './uhubctl.ts'

/** Where it is read and written. */
export interface LinuxUsbParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  /** The folder with the data of this service. */
  readonly dataDir: string
  /** With the device files of USB, a folder for each bus. */
  readonly dev?: string
  readonly addresses?: () => Readonly<Record<string, readonly string[]>>
}

const NOTE = 'usb-switched-off.json'

export const linuxUsb = ({
  files,
  programs,
  dataDir,
  dev = '/dev/bus/usb',
  addresses = systemAddresses,
}: LinuxUsbParts): UsbPort => {
  const note = join(dataDir, NOTE)
  let off: readonly UsbPortFacts[] = []

  const attempt = (port: UsbPortFacts, isOn: boolean, way: PowerWay): Effect.Effect<void, Fault> =>
    way === 'kernel' ? files.write(disableFile(port), isOn ? '0' : '1') : switchByUhubctl(programs, port, isOn)

  const switchOne = (port: UsbPortFacts, isOn: boolean): Effect.Effect<void, Fault> => {
    // where the file may not be written, that program may be let
    const ways = [...new Set<PowerWay>([...port.ways, 'uhubctl'])]
    const tries = ways.map((way) => attempt(port, isOn, way))
    return Effect.mapError(
      tries.reduce((tried, next) => Effect.catch(tried, (fault) => Effect.mapError(next, () => fault))),
      withRemedy,
    )
  }

  const keepNote = Effect.promise(async () => {
    // a full disk is no reason to leave a camera hanging
    if (off.length === 0) await rm(note, { force: true }).catch(() => {})
    else await write(note, JSON.stringify(off)).catch(() => {})
  })

  return {
    read: readUsb({ files, programs, dataDir, addresses }),
    watch: (changed) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.promise(() => watchBuses(dev, changed)),
          (stop) => Effect.sync(stop),
        ),
      ),
    power: (ports, isOn) =>
      Effect.uninterruptible(
        Effect.gen(function* () {
          const others = off.filter((each) => !ports.some((port) => isSame(each, port)))
          if (!isOn) {
            off = [...others, ...ports]
            yield* keepNote
          }
          const faults = yield* Effect.forEach(ports, (port) =>
            Effect.match(switchOne(port, isOn), { onSuccess: () => null, onFailure: (fault) => fault }),
          )
          const fault = faults.find((each) => each !== null)
          if (isOn && !fault) {
            off = others
            yield* keepNote
          }
          if (fault) yield* Effect.fail(fault)
        }),
      ),
    restore: Effect.uninterruptible(
      Effect.gen(function* () {
        const left = yield* Effect.promise(() => readNote(note))
        const tried = yield* Effect.forEach(left, (port) =>
          Effect.match(switchOne(port, true), { onSuccess: () => null, onFailure: () => port }),
        )
        off = tried.filter((port) => port !== null) // the next run tries these again
        if (left.length > 0) yield* keepNote
        return left.length - off.length
      }),
    ),
  }
}

const isSame = (one: UsbPortFacts, other: UsbPortFacts): boolean => one.hub === other.hub && one.port === other.port

const write = async (note: string, text: string): Promise<void> => {
  await mkdir(dirname(note), { recursive: true })
  await writeFileWholeSoon(note, text)
}

/** What is no list of ports is none: nobody but this service writes it. */
const readNote = async (note: string): Promise<readonly UsbPortFacts[]> => {
  try {
    const read: unknown = JSON.parse(await readFile(note, 'utf8'))
    return Array.isArray(read) ? read.filter(isPort) : []
  } catch {
    return []
  }
}

const isPort = (value: unknown): value is UsbPortFacts => {
  const { hub, port, ways } = (value ?? {}) as Partial<Record<keyof UsbPortFacts, unknown>>
  return typeof hub === 'string' && /^(usb\d+|\d+-[\d.]+)$/.test(hub) && Number.isInteger(port) && Array.isArray(ways)
}

const withRemedy = (fault: Fault): Fault => ({ ...fault, detail: `${fault.detail}. ${REMEDY}` })

const REMEDY = oneLine`
  Root may switch the power of ports; the package of this service gives it the right by a rule for udev, elsewhere start
  it as root
`

const systemAddresses = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(networkInterfaces()).map(([name, all = []]) => [name, all.map(({ address }) => address)]),
  )

/**
 * Each bus has a folder, in which a file comes and goes with each device. Where nothing can be watched, a look now and
 * then finds what there is.
 */
const watchBuses = async (dev: string, changed: () => void): Promise<() => void> => {
  const folders = [dev, ...(await readdir(dev).catch(() => [])).map((name) => join(dev, name))]
  const watchers = folders.flatMap((folder) => {
    try {
      const watcher = watchFolder(folder, () => changed())
      watcher.on('error', () => watcher.close())
      return [watcher]
    } catch {
      return []
    }
  })
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}
