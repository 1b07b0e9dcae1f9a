// The pipelines that streams can be given here: those that are stored, and what of them can run on this device.
import { type Device, planHere } from '../pipeline/examine.ts'
import type { PlanOf } from '../pipeline/plan.ts'
import { graphCollection } from '../pipeline/stored-graphs.ts'
import { documentOf, type SettingsStore } from '../settings/store.ts'
import type { GraphOf } from './slots.ts'

/** Looks stored pipelines up, for the slots of streams. */
export const graphsIn =
  (settings: SettingsStore): GraphOf =>
  (id) =>
    documentOf(settings, graphCollection, id)?.value

/** What this device has, as it is when somebody asks. */
export interface DeviceNow extends Pick<Device, 'models'> {
  readonly unavailable: () => Device['unavailable']
}

/** Plans pipelines that are to run on a device. */
export const plansFor =
  ({ unavailable, models }: DeviceNow): PlanOf =>
  (graph) =>
    planHere(graph, { unavailable: unavailable(), ...(models && { models }) })
