// What is done before each start of the service: it is decided which version runs, that is noted on the disk, and that
// version has its settings. A power cut between any two steps leaves a device that starts the one version or the other.
import { join } from 'node:path'
import { PACKAGED } from '../../machines/update/release.ts'
import { runEndIn } from '../../machines/update/run-end.ts'
import { OF_SLOT, settingsName } from '../../machines/update/settings-name.ts'
import {
  type Decision,
  decide,
  type FoundSlots,
  type SlotState,
  TRIES,
  withLeftBehind,
} from '../../machines/update/slots.ts'
import { SETTINGS_FILE } from '../documents/settings-file.ts'
import type { Disk } from '../update/disk.ts'
import { LAST_EXIT, LAST_WORDS } from '../update/run-notes.ts'
import { removeSettings, settingsFolder, settingsRoot } from '../update/settings-folders.ts'
import { readSlotFile, writeSlotFile } from '../update/slot-file.ts'
import { folderOf, nameIn, type Places, removeParts, versionsFolder, wholeVersions } from '../update/versions.ts'
import type { SettingsFiles } from './settings.ts'

/** What a start is prepared with. */
export interface StartParts extends Places {
  readonly dataDir: string
  readonly disk: Disk
  readonly settings: SettingsFiles
  readonly nowMs: () => number
  /** Told what went wrong without keeping the service from its start. */
  readonly warn: (sentence: string) => void
  /** The slot of the system that runs, as its boot loader names it; missing or null: it has none. */
  readonly slot?: string | null
}

/** What is started. */
export interface Start {
  /** The name of the version. */
  readonly name: string
  /** Where it lies. */
  readonly folder: string
  /** Where its settings are, or will be. */
  readonly settings: string
  /** Why it is this one, for people. */
  readonly why: string
}

/** Decides what runs now. Whatever goes wrong, something does. */
export const prepareStart = async (parts: StartParts): Promise<Start> => {
  const { system, dataDir, disk, warn } = parts
  await trying(warn, 'what was interrupted stays where it is', async () => {
    await disk.makeFolder(versionsFolder(system))
    for (const folder of [versionsFolder(system), system, settingsRoot(dataDir)]) await removeParts(disk, folder)
  })
  const found = await findSlots(parts)
  const { state, isNew, settings } = await decideWithSettings(parts, found)
  const isNoted = await trying(warn, 'what runs now could not be noted', async () => {
    if (isNew) await writeSlotFile(disk, system, state)
    for (const file of [LAST_EXIT, LAST_WORDS]) await disk.remove(join(system, file))
  })
  if (isNoted || state.tries === null) return startOf(parts, state, settings)
  const previous = { ...state, current: state.previous ?? PACKAGED, why: UNCOUNTED }
  return startOf(parts, previous, (await ensureSettings(parts, previous)).folder)
}

/** One that is not counted might be tried without end. */
const UNCOUNTED = 'there is a newer version, whose trial could not be counted'

const startOf = (parts: StartParts, { current, why }: SlotState, settings: string): Start => ({
  name: current,
  folder: folderOf(current, parts),
  settings,
  why,
})

const findSlots = async ({ disk, system, packaged, nowMs }: StartParts): Promise<FoundSlots> => {
  const whole = await wholeVersions(disk, system)
  const programs = await Promise.all(whole.map(({ name }) => hasPrograms(disk, join(versionsFolder(system), name))))
  const [exit, words] = await Promise.all([LAST_EXIT, LAST_WORDS].map((file) => disk.read(join(system, file))))
  return {
    state: await readSlotFile(disk, system),
    versions: whole.filter((_, n) => programs[n]),
    packaged: (await nameIn(disk, packaged)) ?? null,
    ended: runEndIn(exit?.toString('utf8'), words?.toString('utf8')),
    now_ms: nowMs(),
  }
}

/** What a version is started by, relative to its folder. */
export const PROGRAMS = { node: 'bin/node', main: '.bundle/main.mjs' } as const

const hasPrograms = async (disk: Disk, folder: string): Promise<boolean> => {
  const [programs, bundle] = await Promise.all([disk.list(join(folder, 'bin')), disk.list(join(folder, '.bundle'))])
  return programs.includes('node') && bundle.includes('main.mjs')
}

/** What runs now, with its settings. A version on trial whose settings cannot be copied is given up at once. */
const decideWithSettings = async (parts: StartParts, found: FoundSlots): Promise<Decision & { settings: string }> => {
  const decision = decide(found)
  if (decision.hasOldSettings)
    await trying(parts.warn, 'its settings are those that it once had', () =>
      removeSettings(parts.disk, parts.dataDir, settingsName(decision.state.current, parts.slot ?? null)),
    )
  const { folder, refusal } = await ensureSettings(parts, decision.state)
  if (refusal !== undefined) parts.warn(refusal)
  if (refusal === undefined || decision.state.tries === null)
    return { ...(await noteLeftBehind(parts, decision)), settings: folder }
  const other = decide({ ...found, state: { ...decision.state, tries: TRIES, give_up: refusal } })
  return { ...(await noteLeftBehind(parts, other)), settings: (await ensureSettings(parts, other.state)).folder }
}

const noteLeftBehind = async (parts: StartParts, decision: Decision): Promise<Decision> => {
  const { gaveUp, state } = decision
  if (gaveUp === null) return decision
  const folderOfVersion = (name: string) => settingsFolder(parts.dataDir, settingsName(name, parts.slot ?? null))
  const documents = await parts.settings.differing(folderOfVersion(gaveUp), folderOfVersion(state.current))
  return { ...decision, state: withLeftBehind(state, documents) }
}

/** Where the settings of a version are. refusal: why they are not its own, for people. */
interface FoundSettings {
  readonly folder: string
  readonly refusal?: string
}

/** Gives a version its settings when it has none: a copy of the previous one's, or of those of a start without us. */
const ensureSettings = async (
  { disk, dataDir, settings, slot = null }: StartParts,
  { current, previous }: SlotState,
): Promise<FoundSettings> => {
  const all = settingsRoot(dataDir)
  const own = settingsName(current, slot)
  const folder = settingsFolder(dataDir, own)
  const there = await disk.list(all)
  if (there.includes(own)) return { folder }
  const before = previous === null ? [] : [settingsName(previous, slot)]
  const packaged = [settingsName(PACKAGED, slot), ...there.filter((name) => ofOtherSlot(name, slot)), PACKAGED]
  const from = [...before, ...packaged].find((name) => name !== own && there.includes(name))
  const source = from ? settingsFolder(dataDir, from) : dataDir
  if (!(await disk.list(source)).includes(SETTINGS_FILE)) return { folder } // the first start of all
  const part = `${folder}.part`
  try {
    await disk.remove(part)
    await disk.makeFolder(part)
    await settings.copy(source, part)
    for (const name of await disk.list(part)) await disk.sync(join(part, name))
    await disk.sync(part)
    await disk.rename(part, folder)
    await disk.sync(all)
    await disk.sync(dataDir)
    return { folder }
  } catch (error) {
    await disk.remove(part).catch(() => {})
    return { folder: source, refusal: `its settings could not be copied from ${source}: ${(error as Error).message}` }
  }
}

const ofOtherSlot = (name: string, slot: string | null): boolean =>
  slot !== null && name.startsWith(OF_SLOT) && !name.endsWith('.part')

const trying = async (warn: (sentence: string) => void, what: string, act: () => Promise<void>): Promise<boolean> => {
  try {
    await act()
    return true
  } catch (error) {
    warn(`${what}: ${(error as Error).message}`)
    return false
  }
}
