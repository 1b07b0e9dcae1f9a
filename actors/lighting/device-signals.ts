// What the device shows of itself: looked for a few times a second, since what it follows from is known in stores.
import { type OutputKind, type ResultLayout, rowsOf } from '../../machines/engine/result.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { LightingConfig } from '../../machines/lighting/config.ts'
import { nt4LinkStatus } from '../../machines/nt4/nt4-link-machine.ts'
import type { UpdateState, UpdateStateName } from '../../machines/update/update-state.ts'
import type { Directory } from '../directory.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'

/** The signals, by name. */
export type SignalName = keyof LightingConfig['signals']

/** What is looked at. */
export interface SignalParts {
  readonly directory: Pick<Directory, 'actor' | 'clock' | 'identity' | 'parts'>
  readonly streams: Pick<StreamRegistry, 'all'>
  readonly update: () => UpdateState | Fault
}

/** A tag that was in the picture so long ago is still seen: pictures of slow cameras are that far apart. */
const SEEN_US = 300_000
/** A service that has not come up by then has other troubles, which health tells. */
const START_US = 30_000_000
const UPDATING: readonly UpdateStateName[] = ['applying', 'restarting', 'trial']

/** Why each is shown, for people. */
export const SIGNAL_WORDS: Readonly<Record<SignalName, string>> = {
  starting: 'The service is starting.',
  link_lost: 'There is no link to the robot.',
  target_seen: 'A stream sees a tag.',
  update_runs: 'An update runs: leave the power on.',
}

/** Whether each signal is to be shown now. */
export const signalsNow = (parts: SignalParts): Readonly<Record<SignalName, boolean>> => ({
  starting: isStarting(parts),
  link_lost: isLinkLost(parts),
  target_seen: isTargetSeen(parts),
  update_runs: isUpdating(parts),
})

const isStarting = ({ directory }: SignalParts): boolean => {
  const { clock, identity, parts } = directory
  if (clock.monotonicUs() - identity.started_us > START_US) return false
  const server = parts().find(({ name }) => name === 'http')
  return server?.state !== 'listening' && server?.state !== 'failed'
}

/** A robot is called, and does not answer. */
const isLinkLost = ({ directory }: SignalParts): boolean => {
  const link = directory.actor('nt4-link')
  return link !== undefined && nt4LinkStatus(link.getSnapshot()).state === 'dialling'
}

const isTargetSeen = ({ directory, streams }: SignalParts): boolean => {
  const sinceUs = directory.clock.monotonicUs() - SEEN_US
  return streams.all().some(({ state, results }) => {
    const { value } = results
    if (state !== 'live' || !value || (value.data[CAPTURED] ?? 0) < sinceUs) return false
    return tagPorts(value.layout).some((port) => (rowsOf(value, port)?.count ?? 0) > 0)
  })
}

const TAG_KINDS: readonly OutputKind[] = ['detections', 'points', 'tag_poses']
const CAPTURED = 1 // captured_us in RESULT_HEADER

const tagPorts = ({ outputs }: ResultLayout): readonly string[] =>
  outputs.flatMap(({ kind, port }) => (TAG_KINDS.includes(kind) ? port : []))

const isUpdating = ({ update }: SignalParts): boolean => {
  const now = update()
  return !isFault(now) && UPDATING.includes(now.state)
}
