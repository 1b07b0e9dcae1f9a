// Recordings as sources: which item may be one, and what is being played.
import type { Fault } from '../../errors/fault.ts'
import type { GraphDraft } from '../../pipeline/graph.ts'
import { runsModel } from '../../pipeline/model-findings.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { quote } from '../../schema/quote.ts'
import type { CanonicalManifest } from '../manifest.ts'
import type { GraphOf } from '../slots.ts'
import type { CanonicalSource, SourceDocument } from './source.ts'
import { pathsOf, recordingOf } from './traits.ts'

/** A media item, as much of it as decides whether it can be played. */
export interface PlayableItem {
  readonly kind: 'picture' | 'recording' | 'model'
  readonly state: 'writing' | 'ready'
}

/** What is known of a media item; undefined: there is none. */
export type ItemOf = (name: string) => PlayableItem | undefined

/** What is wrong with the recording that a source names. */
export const mediaErrors = (source: SourceDocument, itemOf: ItemOf): readonly SchemaError[] => {
  const name = recordingOf(source)
  if (name === undefined) return []
  const message = complaintAbout(name, itemOf(name))
  return message === undefined ? [] : [{ pointer: '/source/media', message }]
}

const complaintAbout = (name: string, item: PlayableItem | undefined): string | undefined => {
  if (!item) return `is ${quote(name)}, and there is no such media item; GET /v1/media lists them`
  if (item.kind !== 'recording') return `is ${quote(name)}, which is a ${item.kind}; name a recording`
  return item.state === 'writing'
    ? `is ${quote(name)}, which is still being written; stop that recording first, or wait until it is whole`
    : undefined
}

/**
 * Why an item must stay: a stream plays it, by its name or by its path; undefined: none does. One that is turned off
 * will play it again. path: of the item's file, as `realOf` has it, which tells where a path leads.
 */
export const playedBy = (
  { name, path }: { readonly name: string; readonly path: string },
  streams: readonly CanonicalManifest[],
  realOf: (path: string) => string,
): Fault | undefined => {
  const plays = ({ source }: CanonicalManifest): boolean => {
    if (recordingOf(source) === name) return true
    return playedPaths(source).some((each) => realOf(each) === path)
  }
  const stream = streams.find(plays)
  return (
    stream && {
      code: 'media.in_use',
      resource: `streams/${stream.id}`,
      detail: `the stream ${stream.id} plays ${name}; delete that stream first`,
    }
  )
}

/**
 * Why a model must stay: the pipeline of a stream runs it, or may in the next moment, since one of its slots refers to
 * it or it goes back to its own; undefined: none does.
 */
export const modelUsedBy = (
  name: string,
  streams: readonly CanonicalManifest[],
  graphOf: GraphOf,
): Fault | undefined => {
  const runsIt = (graph: GraphDraft | undefined): boolean => graph !== undefined && runsModel(graph, name)
  const usersIn = ({ id, pipeline, own_pipeline, slots = [] }: CanonicalManifest): Fault | undefined => {
    const slot = slots.find(({ graph_id }) => runsIt(graphOf(graph_id)))
    const user = slot
      ? `the stored pipeline ${slot.graph_id}, to which the slot ${slot.slot} of the stream ${id} refers,`
      : runsIt(pipeline) || runsIt(own_pipeline)
        ? `the pipeline of the stream ${id}`
        : undefined
    const detail = `${user} runs ${name}; choose another model there first`
    return user === undefined ? undefined : { code: 'media.in_use', resource: `streams/${id}`, detail }
  }
  for (const stream of streams) {
    const fault = usersIn(stream)
    if (fault) return fault
  }
  return undefined
}

/** The paths that a source plays, as they are written. */
export const playedPaths = (source: CanonicalSource): readonly string[] => pathsOf(source).map(({ path }) => path)
