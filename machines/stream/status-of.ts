// The status of a stream follows from what is: its document, the child that runs it, what its machine says, and what
// was measured.

import type { TimestampSource } from '../engine/controls.ts'
import type { Fault } from '../errors/fault.ts'
import { missingPlugins } from '../pipeline/without-missing.ts'
import { oneLine } from '../schema/one-line.ts'
import { type ChildStatus, findPresent } from '../supervision/child.ts'
import { lensInUse, type OpenedLens } from './lens.ts'
import type { CanonicalManifest } from './manifest.ts'
import { goneFault, graphIdOf, type SlotGraph } from './slots.ts'
import type { StreamState, StreamStatus } from './status.ts'

/** A snapshot of streamMachine, as much of it as a status shows. */
export interface StreamSnapshot {
  readonly status: string
  readonly value: unknown
  readonly context: {
    readonly stored?: { readonly revision: number }
    readonly applied: { readonly revision: number | null } | null
    readonly fault: StreamStatus['fault']
    readonly refusal?: Fault | null
  }
  readonly output?: unknown
  readonly error?: unknown
}

/** What was found out about a stream, whatever state it is in. */
export interface StreamFacts {
  /** As the camera answered. */
  readonly opened:
    | (OpenedLens & { readonly pixel_format: string; readonly timestamp_source: TimestampSource })
    | undefined
  /** What times of capture rest on, where that is not what the opening said. */
  readonly stamped: TimestampSource | undefined
  readonly warnings: StreamStatus['warnings']
  readonly fps: number
  readonly viewers: number
  /** Under which the robot finds it. */
  readonly extcam_table: string | null
  readonly recording: StreamStatus['recording']
  /** What the resource guard takes from it; null: nothing. */
  readonly guard: StreamStatus['guard']
  /** What a robot has set on it; null: nothing. */
  readonly robot: StreamStatus['robot']
  /** The stored pipeline of the slot that is to run. */
  readonly graph: SlotGraph | null
  /** The pipeline that is tried on it; null: none is. */
  readonly trial: StreamStatus['pipeline']['trial']
}

/** What runs a stream. */
export interface StreamRun {
  /** With the pipeline that is tried, if one is. */
  readonly manifest: Pick<CanonicalManifest, 'enabled' | 'slots' | 'active_slot' | 'intrinsics'> &
    Partial<Pick<CanonicalManifest, 'pipeline'>>
  /** Why nothing of it runs for a while; null: it may. */
  readonly paused: Fault | null
  /** undefined while there is none. */
  readonly child: ChildStatus | undefined
  /** Of its actor; undefined while there is none. */
  readonly snapshot: StreamSnapshot | undefined
}

/** The state of a stream, and why it is not live. */
export const conditionOf = ({
  manifest,
  paused,
  child,
  snapshot,
}: StreamRun): Pick<StreamStatus, 'state' | 'fault' | 'applied_revision'> => {
  const isDown = { fault: null, applied_revision: null }
  // One that could not be stopped has failed too, though nobody wants it any more.
  if (!manifest.enabled && child?.state !== 'failed') return { state: 'disabled', ...isDown }
  if (paused && child?.state !== 'failed')
    return { state: 'paused', fault: { code: paused.code, detail: paused.detail }, applied_revision: null }
  if (!child) return { state: 'starting', ...isDown }
  const { state, fault, isRunning } = findPresent(child, snapshot)
  const [outermost] = state.split('.')
  return {
    state: outermost as StreamState,
    fault: fault && { code: fault.code, detail: fault.detail },
    applied_revision: isRunning ? (snapshot?.context.applied?.revision ?? null) : null,
  }
}

/** The whole status. since_ms: when its state began, Unix time. */
export const statusOf = (run: StreamRun, facts: StreamFacts, since_ms: number): StreamStatus => {
  const condition = conditionOf(run)
  const { opened, stamped, warnings, fps, viewers, extcam_table, recording, guard, robot, graph, trial } = facts
  return {
    ...condition,
    since_ms,
    warnings: [...warnings],
    width_px: opened?.width_px ?? null,
    height_px: opened?.height_px ?? null,
    crop: opened?.crop ?? null,
    lens: opened ? lensInUse(opened, run.manifest.intrinsics !== undefined) : null,
    pixel_format: opened?.pixel_format ?? null,
    timestamp_source: (opened && stamped) ?? opened?.timestamp_source ?? null,
    fps: condition.state === 'live' ? Math.round(fps * 10) / 10 : null,
    viewers,
    restarts: run.child?.restarts ?? 0,
    pipeline: { ...pipelineOf(run, graph), trial },
    extcam_table,
    recording,
    guard,
    robot,
  }
}

/** Which pipeline runs, and why it is not the one that is wanted. */
export const pipelineOf = (
  { manifest, snapshot }: StreamRun,
  graph: SlotGraph | null,
): Omit<StreamStatus['pipeline'], 'trial'> => {
  const { active_slot: slot = null } = manifest
  const graph_id = graphIdOf(manifest) ?? null
  const refusal =
    graph && !graph.stored ? goneFault(graph.graph_id) : (lackFault(manifest.pipeline) ?? snapshot?.context.refusal)
  return { slot, graph_id, fault: refusal ? { code: refusal.code, detail: refusal.detail } : null }
}

/** Why not all of a pipeline runs; undefined: it lacks no plugin. */
const lackFault = (pipeline: CanonicalManifest['pipeline'] | undefined): Fault | undefined => {
  const missing = pipeline ? missingPlugins(pipeline) : []
  if (missing.length === 0) return undefined
  const [plugins, are, them] = missing.length === 1 ? ['plugin', 'is', 'it'] : ['plugins', 'are', 'them']
  return {
    code: 'pipeline.invalid',
    detail: oneLine`
      The pipeline runs without the nodes of the ${plugins} ${missing.join(', ')}, which ${are} not enabled on this
      device, and without what needs ${them}. Enable or install ${them}, or choose a pipeline that does without.
    `,
  }
}
