// The boot firmware of a Linux device: rpi-eeprom-update on a Raspberry Pi, fwupd elsewhere.
import * as Effect from 'effect/Effect'
import { type Bootloader, noBootloader } from '../../machines/bootloader/bootloader.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { inSentence } from '../../machines/schema/quote.ts'
import { complaintOf, type ProgramEnd, type ProgramFailure, type ProgramsPort, programFault } from '../programs/port.ts'
import type { SystemFiles } from '../system-files/port.ts'
import type { BootloaderPort } from './port.ts'

/** What it asks. */
export interface LinuxBootloaderParts {
  readonly programs: ProgramsPort
  readonly files: SystemFiles
}

const EEPROM = 'rpi-eeprom-update'
const FWUPD = 'fwupdmgr'
const STAGE_LIMIT_MS = 120_000 // fwupd fetches what it puts in

export const linuxBootloader = ({ programs, files }: LinuxBootloaderParts): BootloaderPort => {
  const run = (program: string, args: readonly string[], limitMs?: number) =>
    programs.run({ program, args, ...(limitMs !== undefined && { limitMs }) })

  /** What is known without any tool. */
  const ofTree = Effect.promise(async () => ({
    model: await files.text('/proc/device-tree/model'),
    isStaged: (await Promise.all(['/boot', '/boot/firmware'].map(files.names)))
      .flat()
      .some((name) => STAGED.test(name)),
  }))

  const status = Effect.gen(function* () {
    const { model, isStaged } = yield* ofTree
    const eeprom = yield* known(run(EEPROM, []))
    if (eeprom.is !== 'missing') return ofEeprom(eeprom, isStaged)
    const devices = yield* known(run(FWUPD, ['get-devices', '--json']))
    if (devices.is === 'missing') return noBootloader(model, null)
    const updates = yield* known(run(FWUPD, ['get-updates', '--json']))
    return ofFwupd(devices, updates)
  })

  const staged = (program: string, args: readonly string[], isDone: (end: ProgramEnd) => boolean) =>
    Effect.flatMap(Effect.mapError(run(program, args, STAGE_LIMIT_MS), programFault(NOT_STAGED)), (end) =>
      isDone(end)
        ? Effect.void
        : Effect.fail<Fault>({
            code: 'device.failed',
            detail: `${NOT_STAGED}: ${complaintOf(program, end)}. ${REMEDY}`,
          }),
    )

  /** Of all devices only the one that is shown: without its id a disk would be written, too. */
  const stagedByFwupd = Effect.flatMap(known(run(FWUPD, ['get-devices', '--json'])), (found) => {
    const id = found.is === 'ended' ? devicesIn(found.stdout)?.find(isSystem)?.DeviceId : undefined
    return id === undefined
      ? Effect.fail<Fault>({ code: 'device.failed', detail: `${NOT_STAGED}: fwupd does not name it any more` })
      : staged(
          FWUPD,
          ['update', id, '--json', '--no-reboot-check', '--assume-yes'],
          ({ exitCode }) => exitCode === 0 || exitCode === NOTHING_TO_DO,
        )
  })

  return {
    status,
    stage: Effect.flatMap(status, ({ by, detail, state }) => {
      if (state === 'not-supported' || state === 'frozen')
        return Effect.fail<Fault>({ code: 'device.failed', detail: `${NOT_STAGED}. ${detail}` })
      if (state === 'up-to-date' || state === 'staged') return Effect.void
      return by === EEPROM ? staged(EEPROM, ['-a'], ({ exitCode }) => exitCode === 0) : stagedByFwupd
    }),
  }
}

/** What rpi-eeprom-update leaves for the next start. */
const STAGED = /^(pieeprom|vl805)\.upd$/

const NOT_STAGED = 'the boot firmware is not staged'

const REMEDY = 'Root may do that: run it at a shell with sudo'

type Known =
  | { readonly is: 'missing' }
  | { readonly is: 'failed'; readonly why: string }
  | ({ readonly is: 'ended' } & ProgramEnd)

const known = (run: Effect.Effect<ProgramEnd, ProgramFailure>): Effect.Effect<Known> =>
  Effect.match(run, {
    onSuccess: (end): Known => ({ is: 'ended', ...end }),
    onFailure: ({ kind, text }): Known => (kind === 'missing' ? { is: 'missing' } : { is: 'failed', why: text }),
  })

const unknown = (by: Bootloader['by'], why: string): Bootloader => ({
  by,
  state: 'unknown',
  current: null,
  latest: null,
  detail: `What the boot firmware is cannot be said: ${why}.`,
})

// BOOTLOADER: update available
//    CURRENT: Fri 16 Feb 15:28:41 UTC 2024 (1708097321)
//     LATEST: Mon 23 Sep 13:02:56 UTC 2024 (1727099456)
const CURRENT = /^\s*CURRENT:.*\((\d{9,11})\)/m
const LATEST = /^\s*LATEST:.*\((\d{9,11})\)/m

const builtAt = (seconds: string | undefined): Bootloader['current'] => {
  if (seconds === undefined) return null
  const built_at_ms = Number(seconds) * 1000
  return { version: new Date(built_at_ms).toISOString().slice(0, 'YYYY-MM-DD'.length), built_at_ms }
}

const ofEeprom = (found: Exclude<Known, { is: 'missing' }>, isStaged: boolean): Bootloader => {
  if (found.is === 'failed') return unknown(EEPROM, found.why)
  const { exitCode, stdout } = found
  const state = isStaged ? 'staged' : EXITS[exitCode]
  if (state === undefined) return unknown(EEPROM, complaintOf(EEPROM, found))
  const versions = { current: builtAt(CURRENT.exec(stdout)?.[1]), latest: builtAt(LATEST.exec(stdout)?.[1]) }
  if (state === 'up-to-date' && versions.current === null) return notFor(stdout)
  return { by: EEPROM, state, ...versions, detail: WORDS[state] }
}

/** It ends well, too, on a board that has none (a Raspberry Pi 3), and on one that it leaves alone (a CM4). */
const notFor = (printed: string): Bootloader => {
  const said = inSentence(printed.trim().split('\n').at(-1) ?? '')
  const detail = `${EEPROM} does nothing on this board${said === '' ? '.' : `. It says: ${said}`}`
  return { by: EEPROM, state: 'not-supported', current: null, latest: null, detail }
}

const EXITS: Readonly<Record<number, 'up-to-date' | 'available' | 'frozen'>> = {
  0: 'up-to-date',
  1: 'available',
  3: 'frozen',
}

const WORDS = {
  'up-to-date': 'It is the newest that is known here; apt upgrade brings newer ones.',
  available: 'A newer one is there; stage it, and start the device again.',
  staged: oneLine`
    A newer one is staged: the next start of the device puts it in, which takes some seconds longer. Do not switch the
    device off meanwhile.
  `,
  frozen: 'Its configuration says that it is not updated (rpi-eeprom-update: FREEZE_VERSION).',
} as const

interface FwupdDevice {
  readonly DeviceId?: string
  readonly Name?: string
  readonly Version?: string
  readonly Flags?: readonly string[]
  readonly Releases?: readonly { readonly Version?: string; readonly Created?: number }[]
}

/** Firmware of the computer itself is told by one of these. */
const isSystem = ({ Name = '', Flags = [] }: FwupdDevice): boolean =>
  Flags.includes('updatable') && Flags.includes('needs-reboot') && /system firmware|uefi|bios/i.test(Name)

const devicesIn = (printed: string): readonly FwupdDevice[] | null => {
  try {
    const { Devices } = JSON.parse(printed) as { readonly Devices?: unknown }
    return Array.isArray(Devices) ? Devices.filter((each) => typeof each === 'object' && each !== null) : null
  } catch {
    return null
  }
}

const NOTHING_TO_DO = 2

const ofFwupd = (devices: Exclude<Known, { is: 'missing' }>, updates: Known): Bootloader => {
  if (devices.is === 'failed') return unknown('fwupd', devices.why)
  const all = devicesIn(devices.stdout)
  if (!all) return unknown('fwupd', complaintOf(FWUPD, devices))
  const system = all.find(isSystem)
  if (!system)
    return {
      by: 'fwupd',
      state: 'not-supported',
      current: null,
      latest: null,
      detail: 'fwupd runs, and finds no boot firmware here that it can update; its maker has other tools for it.',
    }
  const current = system.Version ? { version: system.Version, built_at_ms: null } : null
  const flags = system.Flags ?? []
  if (flags.includes('needs-reboot') && flags.includes('another-write-required'))
    return { by: 'fwupd', state: 'staged', current, latest: null, detail: WORDS.staged }
  if (updates.is !== 'ended')
    return { ...unknown('fwupd', updates.is === 'failed' ? updates.why : 'it is gone'), current }
  const release = devicesIn(updates.stdout)?.find(({ Name }) => Name === system.Name)?.Releases?.[0]
  if (updates.exitCode === NOTHING_TO_DO || !release)
    return { by: 'fwupd', state: 'up-to-date', current, latest: current, detail: WORDS['up-to-date'] }
  const latest = {
    version: release.Version ?? 'a newer one',
    built_at_ms: Number.isSafeInteger(release.Created) ? (release.Created as number) * 1000 : null,
  }
  return { by: 'fwupd', state: 'available', current, latest, detail: WORDS.available }
}
