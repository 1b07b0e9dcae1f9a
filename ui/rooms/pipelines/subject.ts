// What the editor edits: a pipeline, where it is kept, and how it is stored again.
import type { Answer } from '../../api/client.ts'
import type { Saved } from './edit.ts'
import type { Graph } from './graph.ts'

/** A pipeline that another device has. */
export interface RemoteSubject {
  /** The stream, with the peer and a colon before its id there. */
  readonly listedId: string
  readonly device: string
  /** Whether that device does not let it be changed from here. */
  readonly isFixed: boolean
}

/** What is edited. */
export interface Subject {
  readonly name: string
  /** Of a stored one. */
  readonly graphId: string | undefined
  /** The stream whose own pipeline it is; undefined: it is a stored one. */
  readonly streamId: string | undefined
  /** The stream of another device that runs it; undefined: it is one of this device. */
  readonly remote?: RemoteSubject
  readonly saved: Saved
  /** Stores another graph, if the revision is still that. */
  readonly save: (graph: Graph, base: Saved) => Promise<Answer<unknown>>
  /** Whether an event is about it. */
  readonly heeds: (ref: Readonly<Record<string, string>>) => boolean
}
