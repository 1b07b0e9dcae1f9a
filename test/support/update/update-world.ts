// The machine of updates, its disk and the launcher as one world, in which the power may go between any two steps that
// reach the disk. No clock, no actor: the effects are played step by step.
import {
  type AnyMachineSnapshot,
  type AnyStateNode,
  type EventObject,
  getInitialMicrosteps,
  getMicrosteps,
  type SnapshotFrom,
} from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { KnownSlots } from '../../../machines/update/known-slots.ts'
import { type RecordDraft, stampRecord, type UpdateRecord } from '../../../machines/update/record.ts'
import { PACKAGED } from '../../../machines/update/release.ts'
import { restore } from '../../../machines/update/restore.ts'
import { activate, chosenOf, commit, decide, goBack, type SlotState } from '../../../machines/update/slots.ts'
import { updateMachine } from '../../../machines/update/update-machine.ts'
import type { KnownVersion } from '../../../machines/update/update-state.ts'
import type { StoredUpload } from '../../../machines/update/upload.ts'

const AT_MS = 1 // of a device without a clock: all happens at the same time

/** What outlives the power. */
export interface WorldDisk {
  readonly record: UpdateRecord | null
  readonly slots: SlotState
  /** The names of the versions that are whole. */
  readonly versions: readonly string[]
  readonly kept: (StoredUpload & { readonly isWhole: boolean }) | null
}

/** Where everything stands. */
export interface World {
  readonly snapshot: SnapshotFrom<typeof updateMachine>
  readonly disk: WorldDisk
  /** The version that runs. */
  readonly running: string
  /** How many steps of the effect that is under way are done. */
  readonly step: number
}

/** A way on. name: for the path that a failure tells. */
export interface Way {
  readonly name: string
  readonly world: World
}

const fault: Fault = { code: 'device.failed', detail: 'the disk says no' }
const known = (name: string): KnownVersion => ({ name, version: '1.0.0', built_at_ms: AT_MS })
const NOTHING_INSTALLED: SlotState = {
  format: 1,
  current: PACKAGED,
  packaged: null,
  previous: null,
  tries: null,
  since_ms: AT_MS,
  why: '',
  give_up: null,
  exits: [],
  failed: null,
}

/**
 * The one version that is offered. Where it runs, nothing is uploaded any more: the world is small enough to be walked.
 */
const OFFERED = 'a'

const slotsOf = ({ slots, versions }: WorldDisk, running: string): KnownSlots => {
  const other = [chosenOf(slots), slots.previous, ...versions].find((name) => name !== null && name !== running)
  return {
    running: known(running),
    other: other ? known(other) : null,
    isTrial: slots.current === running && slots.tries !== null && slots.give_up === null,
    chosen: chosenOf(slots),
    failed: slots.failed,
    floor: null,
  }
}

/** Starts what the launcher chooses. ended: how the run before ended. */
const launch = (disk: WorldDisk, ended: string | null): World => {
  const versions = disk.versions.map((name, n) => ({ name, built_at_ms: n }))
  const { state } = decide({ state: disk.slots, versions, packaged: null, ended, now_ms: AT_MS })
  const snapshot = last(getInitialMicrosteps(updateMachine, { unavailable: null }))
  return { snapshot, disk: { ...disk, slots: state }, running: state.current, step: 0 }
}

/** A device that has just been made. */
export const firstWorld = (): World =>
  launch({ record: null, slots: NOTHING_INSTALLED, versions: [], kept: null }, null)

const last = (micro: readonly (readonly [snapshot: unknown, actions: unknown])[]) =>
  micro.at(-1)?.[0] as World['snapshot']

/** The effect that is under way, with what it was given; those that only watch are none. */
const effectOf = ({ snapshot }: World): { readonly name: string; readonly input: EffectInput } | null => {
  const names = Object.keys(snapshot.children).filter((id) => id !== 'watchDevice')
  const name = names.find((id) => id !== 'watchHealth') ?? names[0]
  const child = name && (snapshot.children as Readonly<Record<string, { getSnapshot: () => unknown }>>)[name]
  if (!name || !child) return null
  return { name, input: ((child.getSnapshot() as { readonly input?: EffectInput }).input ?? {}) as EffectInput }
}

interface EffectInput {
  readonly draft?: RecordDraft
  readonly forgetsBundle?: boolean
  readonly announced?: { readonly resumable: boolean }
  readonly name?: string
  readonly reason?: string
}

/** One step that reaches the disk, whole or not at all. */
type DiskStep = (disk: WorldDisk) => WorldDisk

/** The end of an effect: its output; or the run ends. */
type Ending = { readonly output: (disk: WorldDisk) => unknown } | 'never' | 'ends the run'

const save =
  (draft: RecordDraft): DiskStep =>
  (disk) => ({ ...disk, record: stampRecord(disk.record, draft, AT_MS) })

const onSlots =
  (change: (slots: SlotState) => SlotState): DiskStep =>
  (disk) => ({ ...disk, slots: change(disk.slots) })

const BEFORE = { streams: ['front'], parts: ['http'], robot_link: true }

/** What the actor does for an effect, in its order. */
const stepsOf = (name: string, input: EffectInput, { running }: World): readonly [DiskStep[], Ending] => {
  const { draft, forgetsBundle, announced, name: version = '', reason = '' } = input
  const saved = draft ? [save(draft)] : []
  const slots = (disk: WorldDisk) => slotsOf(disk, running)
  switch (name) {
    case 'restore':
      return [[], { output: (disk) => restore({ record: disk.record, slots: slots(disk), kept: disk.kept }) }]
    case 'keep':
      return [[...saved, ...(forgetsBundle ? [forget] : [])], { output: () => undefined }]
    case 'begin': {
      const kept = { id: 'u', bytes: 3, resumable: announced?.resumable ?? false, offset: 0, isWhole: false }
      return [[...saved, (disk) => ({ ...disk, kept })], { output: () => kept }]
    }
    case 'resume':
      return [[], { output: ({ kept }) => kept }]
    case 'complete':
      return [[whole, ...saved], { output: () => undefined }]
    case 'verify':
      return [saved, { output: () => known(OFFERED) }]
    case 'install': {
      const write: DiskStep = (disk) => ({ ...disk, versions: [OFFERED] })
      const target = draft ? [save({ ...draft, target: OFFERED })] : []
      return [[removeOthers(running), write, ...target], { output: (disk) => ({ name: OFFERED, slots: slots(disk) }) }]
    }
    case 'activate': {
      const before = draft ? [save({ ...draft, before: BEFORE })] : []
      return [[...before, onSlots((state) => activate(state, version, AT_MS))], { output: () => BEFORE }]
    }
    case 'restart':
      return [saved, 'ends the run']
    case 'undo':
      return [
        [(disk) => (chosenOf(disk.slots) === running ? disk : onSlots((state) => goBack(state, reason))(disk))],
        { output: slots },
      ]
    case 'watchHealth':
      return [saved, 'never']
    case 'commit':
      return [[onSlots(commit), ...saved], { output: slots }]
    case 'goBack':
      return [[...saved, onSlots((state) => goBack(state, reason))], 'ends the run']
    default:
      throw new Error(`the effect ${name} is not played here`)
  }
}

const forget: DiskStep = (disk) => ({ ...disk, kept: null })
const whole: DiskStep = (disk) => ({ ...disk, kept: disk.kept && { ...disk.kept, offset: 3, isWhole: true } })
const kept = ({ slots, versions }: WorldDisk, running: string): readonly string[] =>
  versions.filter((name) => [running, slots.current, slots.previous].includes(name))
const removeOthers =
  (running: string): DiskStep =>
  (disk) => ({ ...disk, versions: kept(disk, running) })

const tell = (world: World, event: EventObject): World => {
  const before = world.snapshot.children as Readonly<Record<string, unknown>>
  const snapshot = last(getMicrosteps(updateMachine, world.snapshot, event as never)) ?? world.snapshot
  const name = effectOf({ ...world, snapshot })?.name
  const isSame = name !== undefined && before[name] === (snapshot.children as Readonly<Record<string, unknown>>)[name]
  return { ...world, snapshot, step: isSame ? world.step : 0 }
}

const COMMANDS: readonly (EventObject & Readonly<Record<string, unknown>>)[] = [
  { type: 'update.receive', ask: 1, announced: { bytes: 3, resumable: true } },
  { type: 'update.receive', ask: 1, announced: { bytes: 3, resumable: false } },
  { type: 'update.resume', ask: 2, id: 'u' },
  { type: 'update.received', ask: 3, id: 'u' },
  { type: 'update.paused', id: 'u' },
  { type: 'update.receive_failed', id: 'u', fault },
  { type: 'update.apply', ask: 4, when: 'now', allowDowngrade: false },
  { type: 'update.apply', ask: 5, when: 'idle', allowDowngrade: false },
  { type: 'update.cancel', ask: 6 },
  { type: 'device.seen', robotEnabled: true, busyWith: [] },
  { type: 'device.seen', robotEnabled: false, busyWith: [] },
  { type: 'health.seen', missing: [] },
  { type: 'health.seen', missing: ['the stream front does not run'] },
]

const delaysOf = (snapshot: AnyMachineSnapshot): readonly string[] =>
  [...new Set(snapshot._nodes.flatMap((node: AnyStateNode) => node.ownEvents as string[]))].filter((type) =>
    type.startsWith('xstate.after'),
  )

/** How the power goes, or a run ends by itself. */
const ENDS = { cut: null, crash: 'it crashed' } as const

/** All that can happen next. mayFail: whether steps that reach the disk may also fail, before or after they did. */
export const waysOn = (world: World, { mayFail = true } = {}): readonly Way[] => {
  const ways: Way[] = Object.entries(ENDS).map(([name, ended]) => ({ name, world: launch(world.disk, ended) }))
  for (const event of [
    ...COMMANDS.filter(({ type }) => isOfInterest(world, type)),
    ...delaysOf(world.snapshot).map((type) => ({ type })),
  ])
    if (world.snapshot.can(event as never)) ways.push({ name: nameOf(event), world: tell(world, event) })
  return [...ways, ...effectWays(world, mayFail)]
}

/** What the robot does is of interest only where somebody waits for it. */
const isOfInterest = ({ snapshot, running }: World, type: string): boolean => {
  if (type === 'device.seen')
    return (['ready', 'scheduled', 'applying'] as const).some((state) => snapshot.matches(state))
  return type !== 'update.receive' || running !== OFFERED
}

const nameOf = (event: EventObject & Readonly<Record<string, unknown>>): string => {
  const { type, when, robotEnabled, missing, announced } = event
  const more = [when, robotEnabled, missing, announced].filter((each) => each !== undefined)
  return [type, ...more.map((each) => JSON.stringify(each))].join(' ')
}

const effectWays = (world: World, mayFail: boolean): readonly Way[] => {
  const effect = effectOf(world)
  if (!effect) return []
  const [steps, ending] = stepsOf(effect.name, effect.input, world)
  const fail = (disk: WorldDisk, when: string): readonly Way[] => {
    const event = { type: `xstate.error.actor.${effect.name}`, error: fault }
    return mayFail && effect.name !== 'watchHealth' && effect.name !== 'goBack'
      ? [{ name: `${effect.name} fails ${when} step ${world.step}`, world: tell({ ...world, disk }, event) }]
      : []
  }
  const step = steps[world.step]
  if (step) {
    const disk = step(world.disk)
    const done: Way = { name: `${effect.name}, step ${world.step}`, world: { ...world, disk, step: world.step + 1 } }
    return [done, ...fail(world.disk, 'before'), ...fail(disk, 'after')]
  }
  if (ending === 'never') return []
  if (ending === 'ends the run') return [{ name: `${effect.name} ends the run`, world: launch(world.disk, 'it ended') }]
  const event = { type: `xstate.done.actor.${effect.name}`, output: ending.output(world.disk) }
  return [{ name: `${effect.name} is done`, world: tell(world, event) }, ...fail(world.disk, 'at the end of')]
}

/** What tells worlds apart: what steers the machine and the launcher, and not what is only shown. */
export const keyOf = ({ snapshot, disk: { record, slots, versions, kept }, running, step }: World): string => {
  const { context } = snapshot
  const own = [
    ...[context.ask !== null, context.offered?.name, context.when, context.target, context.restarts > 1],
    ...[context.upload?.resumable, context.announced.resumable, context.before !== null, context.failure !== null],
    ...[context.device.robotEnabled, context.missing.length, context.slots?.failed?.version],
  ]
  const recorded = record && [
    ...[record.state, record.offered?.name, record.when, record.target, record.before !== null, record.restarts > 1],
    ...[record.failure !== null, record.seen_failed?.version],
  ]
  const chosen = [slots.current, slots.previous, slots.tries, slots.give_up !== null, slots.failed?.version]
  return JSON.stringify([snapshot.value, own, recorded, chosen, versions, kept, running, step])
}
