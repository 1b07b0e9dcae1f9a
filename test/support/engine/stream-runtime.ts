// A stream at run time, in whatever state a test says.
import { StreamRuntime, type StreamRuntimeParts } from '../../../actors/stream/stream-runtime.ts'
import type { StoredValue } from '../../../machines/settings/store.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'
import type { StreamMachineState } from '../../../machines/stream/stream-machine.ts'
import type { ChildStatus } from '../../../machines/supervision/child.ts'

/** A manifest as it is stored. */
export const storedStream = (revision: number, manifest: StreamManifest): StoredValue<CanonicalManifest> => {
  const canonical = canonicalManifest(manifest)
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  return { revision, value: canonical.manifest }
}

/** A stream that nobody runs. */
export const streamRuntime = (
  manifest: StreamManifest & { readonly id: string },
  parts: Partial<StreamRuntimeParts> = {},
): StreamRuntime =>
  new StreamRuntime(manifest.id, storedStream(1, manifest), {
    clock: { nowMs: () => 0, monotonicUs: () => 0 },
    tableOf: () => null,
    moved: () => {},
    controlSet: () => {},
    ...parts,
  })

type ChildState = Exclude<ChildStatus['state'], 'running'>

/** Lets a stream be in a state of its machine, or one of its child's. */
export const setState = (
  stream: StreamRuntime,
  state: StreamMachineState | ChildState,
  fault: ChildStatus['fault'] = null,
): void => {
  const child = (of: ChildStatus['state']): ChildStatus => ({
    id: `streams/${stream.id}`,
    state: of,
    since_ms: 0,
    restarts: 0,
    fault: of === 'running' ? null : fault,
  })
  stream.child = isOfTheChild(state)
    ? { status: () => child(state), snapshot: () => undefined }
    : {
        status: () => child('running'),
        snapshot: () => ({ status: 'active', value: state, context: { applied: null, fault } }),
      }
  stream.observe()
}

const isOfTheChild = (state: string): state is ChildState => ['starting', 'restarting', 'failed'].includes(state)
