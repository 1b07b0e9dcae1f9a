// Which system of a device with RAUC runs, and which one is chosen: RAUC and the boot loader know the slots, and a
// small record of ours what they do not know, that is what was installed and has not proved itself yet.
import type { Static } from 'typebox'
import { schemaErrors } from '../schema/errors.ts'
import { jsonIn } from '../schema/json.ts'
import { lenient } from '../schema/lenient.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import type { KnownSlots } from './known-slots.ts'
import { FailedVersion } from './slots.ts'

const strict = { additionalProperties: false } as const

/** A system that was installed and has not proved itself. */
const PendingSystem = Type.Object(
  {
    slot: Type.String({ description: 'Where it lies, as RAUC names it.' }),
    version: Type.String({ description: 'As of semver.org.' }),
    floor: Type.Union([Type.String(), Type.Null()], {
      description: 'The oldest version that may be installed over it; null: any.',
    }),
    boot_id: Type.String({ description: 'Of the run of the system that installed it.' }),
    is_chosen: Type.Boolean({ description: 'Whether the next start is to run it.' }),
    give_up: Type.Union([Type.String(), Type.Null()], { description: 'Why it is gone back from; null: it is not.' }),
  },
  { ...strict, description: 'A system that was installed and has not proved itself.' },
)

/** The file `rauc.json` of the system folder. */
export const RaucRecord = Type.Object(
  {
    format: Type.Literal(1),
    committed: Type.Union([Type.String(), Type.Null()], {
      description: 'The slot of the system that was found well last; null: not known.',
    }),
    floor: Type.Union([Type.String(), Type.Null()], {
      description: 'The oldest version that may be installed over that one; null: any.',
    }),
    pending: Type.Union([PendingSystem, Type.Null()], { description: 'null: none.' }),
    failed: Type.Union([FailedVersion, Type.Null()], { description: 'The last one that was given up; null: none.' }),
  },
  { ...strict, title: 'RaucRecord', description: 'What was installed with RAUC, and has not proved itself.' },
)
export type RaucRecord = Static<typeof RaucRecord>

/** Of a device on which nothing was installed. */
export const EMPTY_RECORD: RaucRecord = { format: 1, committed: null, floor: null, pending: null, failed: null }

const LENIENT = lenient(RaucRecord)

/** The record in a file; undefined: it is none. What this version does not know is left out. */
export const raucRecordIn = (text: string): RaucRecord | undefined => {
  const found: unknown = jsonIn(text)
  return schemaErrors(LENIENT, found).length === 0 ? (found as RaucRecord) : undefined
}

/** A slot that can be started. */
export interface RaucSlot {
  /** As RAUC names it: `rootfs.0`. */
  readonly name: string
  readonly isBooted: boolean
  /** What the boot loader would say; null: it does not say. */
  readonly bootStatus: 'good' | 'bad' | null
  /** Of the bundle that was installed there; null: not known. */
  readonly version: string | null
}

/** What RAUC and the kernel say. */
export interface RaucSystem {
  readonly slots: readonly RaucSlot[]
  /** The slot that the boot loader prefers; null: it does not say. */
  readonly primary: string | null
  /** RAUC is installing something. */
  readonly isInstalling: boolean
  /** Another one after each start of the system. */
  readonly bootId: string
  readonly nowMs: number
}

/** What RAUC is told: of the slot that runs, or of one by its name. */
export interface Mark {
  readonly state: 'good' | 'bad' | 'active'
  readonly slot: string
}

/** What is to be done, in this order, so that the power may be cut at any moment. */
export interface Settled {
  /** On the disk before the marks are made. */
  readonly before: RaucRecord
  /** What RAUC is told. */
  readonly marks: readonly Mark[]
  /** On the disk when they were. */
  readonly after: RaucRecord
}

/** The slot that runs; undefined: RAUC does not know it. */
export const bootedSlot = ({ slots }: Pick<RaucSystem, 'slots'>): RaucSlot | undefined =>
  slots.find(({ isBooted }) => isBooted)

/** The slot that is written next; undefined: there is none. */
export const otherSlot = ({ slots }: Pick<RaucSystem, 'slots'>): RaucSlot | undefined =>
  slots.find(({ isBooted }) => !isBooted)

/** Has the next start run what runs now. Choosing counts its starts again, so it is called good again, too. */
export const chooseBooted = (booted: RaucSlot): readonly Mark[] => [
  { state: 'active', slot: booted.name },
  { state: 'good', slot: booted.name },
]

/**
 * What became of the system that was installed last, and of the start that led here. The slot that runs is called good
 * unless it is on trial: boot loaders count every start.
 */
export const settle = (record: RaucRecord, system: RaucSystem): Settled => {
  const booted = bootedSlot(system)
  if (!booted || system.isInstalling || isOnTrial(record, system)) return { before: record, marks: [], after: record }
  const { pending } = record
  const settled: RaucRecord = { ...record, committed: booted.name }
  if (pending === null) return { before: record, marks: stayed(booted, system), after: settled }
  if (pending.boot_id === system.bootId)
    return { before: record, marks: pending.is_chosen ? [] : chosenAgain(booted, system), after: settled }
  // not chosen by us and started all the same: RAUC chooses by itself, and the power was cut before that was undone
  const wasStarted = pending.is_chosen || isGivenUp(pending.slot, system)
  const over: RaucRecord = {
    ...record,
    pending: null,
    failed: wasStarted ? failureOf(pending, system.nowMs) : record.failed,
  }
  return {
    before: record,
    marks: chosenAgain(booted, system),
    after: { ...over, committed: booted.name },
  }
}

const isGivenUp = (slot: string, { primary, slots }: RaucSystem): boolean =>
  primary === slot && slots.some(({ name, bootStatus }) => name === slot && bootStatus === 'bad')

/** The slot that runs is good; where the boot loader prefers one that it cannot start, that is put right. */
const stayed = (booted: RaucSlot, system: RaucSystem): readonly Mark[] =>
  system.primary !== null && isGivenUp(system.primary, system)
    ? chosenAgain(booted, system)
    : [{ state: 'good', slot: booted.name }]

const chosenAgain = (booted: RaucSlot, { primary }: RaucSystem): readonly Mark[] =>
  primary === null || primary === booted.name ? [{ state: 'good', slot: booted.name }] : chooseBooted(booted)

const failureOf = (
  { slot, version, give_up }: NonNullable<RaucRecord['pending']>,
  at_ms: number,
): NonNullable<RaucRecord['failed']> => ({
  version: slot,
  reason: give_up ?? `${version}: ${NEVER_KEPT}`,
  at_ms,
  exits: [],
  left_behind: [],
})

const NEVER_KEPT = oneLine`
  the boot loader went back to the previous system: the new one did not start, or was restarted before it was found well
`

/**
 * Whether the slot that runs has not proved itself: it was installed, or somebody else had it started in place of the
 * one that did.
 */
export const isOnTrial = ({ pending, committed }: RaucRecord, system: RaucSystem): boolean => {
  const booted = bootedSlot(system)
  if (!booted) return false
  if (pending !== null && pending.slot === booted.name) return true
  return pending === null && committed !== null && committed !== booted.name && wasNotGoneBackTo(system)
}

/** The boot loader prefers the slot that runs: it did not fall back to it. */
const wasNotGoneBackTo = (system: RaucSystem): boolean => {
  const booted = bootedSlot(system)
  return system.primary === null || system.primary === booted?.name
}

/** The next start runs the other one. What runs is not kept, or what was chosen is not started after all. */
export const goneBack = (record: RaucRecord, system: RaucSystem, reason: string): Settled | undefined => {
  const booted = bootedSlot(system)
  if (!booted) return undefined
  if (!isOnTrial(record, system)) {
    const over: RaucRecord = { ...record, pending: null }
    return { before: record, marks: chooseBooted(booted), after: over }
  }
  const back = system.slots.find(({ name }) => name === record.committed) ?? otherSlot(system)
  if (!back || back === booted) return undefined
  const pending = record.pending ?? {
    slot: booted.name,
    version: booted.version ?? booted.name,
    floor: null,
    boot_id: system.bootId,
  }
  const given: RaucRecord = { ...record, pending: { ...pending, is_chosen: true, give_up: reason } }
  return {
    before: given,
    marks: [
      { state: 'active', slot: back.name },
      { state: 'bad', slot: booted.name }, // the last: until then there is something to start
    ],
    after: given,
  }
}

/** The slot that runs is kept. */
export const keep = (record: RaucRecord, booted: RaucSlot): RaucRecord => ({
  format: 1,
  committed: booted.name,
  floor: record.pending?.slot === booted.name ? record.pending.floor : record.floor,
  pending: null,
  failed: record.failed?.version === booted.name ? null : record.failed,
})

/** What lies in the slots. version: of this service, where RAUC does not know that of the system. */
export const slotsOf = (record: RaucRecord, system: RaucSystem, version: string): KnownSlots | null => {
  const booted = bootedSlot(system)
  if (!booted) return null
  const other = otherSlot(system)
  return {
    running: { name: booted.name, version: booted.version ?? version, built_at_ms: null },
    other: other && other.version !== null ? { name: other.name, version: other.version, built_at_ms: null } : null,
    isTrial: isOnTrial(record, system),
    chosen: chosenOf(booted, system),
    failed: record.failed,
    floor: record.floor,
  }
}

/** What RAUC would say after these marks. */
export const afterMarks = (system: RaucSystem, marks: readonly Mark[]): RaucSystem => {
  const active = marks.findLast(({ state }) => state === 'active')
  return active ? { ...system, primary: active.slot } : system
}

/** A slot that is preferred and cannot be started is passed over. */
const chosenOf = (booted: RaucSlot, system: RaucSystem): string =>
  system.primary === null || isGivenUp(system.primary, system) ? booted.name : system.primary
