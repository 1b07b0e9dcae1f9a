// Reads what a device has, and writes what a backup says, one item after the other.
import { type Answer, api, ask, askAll, type Documents } from '../../api/client.ts'
import { type BackupItem, type DeviceDocuments, isSame, mergePatch } from './backup.ts'

/** All that a backup holds, as the device has it now. */
export const readDevice = async (): Promise<Answer<DeviceDocuments>> => {
  const hostname = await ask(api.GET('/v1/device/hostname'))
  if (!hostname.ok) return hostname
  const health = await ask(api.GET('/v1/health'))
  if (!health.ok) return health
  const streams = await askAll((cursor) =>
    api.GET('/v1/streams', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
  )
  if (!streams.ok) return streams
  const graphs = await askAll((cursor) =>
    api.GET('/v1/pipelines/graphs', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
  )
  if (!graphs.ok) return graphs
  const nt4 = await ask(api.GET('/v1/device/nt4'))
  if (!nt4.ok) return nt4
  const rig = await ask(api.GET('/v1/device/camera-layout'))
  if (!rig.ok) return rig
  const value: DeviceDocuments = {
    hostname: hostname.value.hostname,
    version: health.value.version,
    streams: streams.value as readonly Documents['Stream'][],
    graphs: graphs.value,
    nt4: nt4.value,
    robot: rig.value.robot,
  }
  return { ok: true, value, revision: null }
}

type Done = Answer<unknown>
type Spec = Documents['StreamSpec']

const writePipeline = (id: string, document: object, isNew: boolean): Promise<Done> =>
  isNew
    ? ask(api.POST('/v1/pipelines/graphs', { body: { ...(document as Documents['GraphDraft']), id } }))
    : ask(
        api.PUT('/v1/pipelines/graphs/{id}', {
          params: { path: { id } },
          body: document as Documents['GraphDraft'],
        }),
      )

/** Slots have an order of their own, and come first: what a slot runs is no manifest's to change. */
const writeSlots = async (id: string, from: Spec, to: Spec): Promise<Done | undefined> => {
  const order = (body: Documents['PipelineChangeOrder']) =>
    ask(api.POST('/v1/streams/{id}/pipeline/graph', { params: { path: { id } }, body }))
  const [before, after] = [from.slots ?? [], to.slots ?? []]
  for (const { slot, graph_id } of after) {
    if (before.some((each) => each.slot === slot && each.graph_id === graph_id)) continue
    const done = await order({ slot, graph_id, activate: false })
    if (!done.ok) return done
  }
  const active = to.active_slot ?? null
  if (active !== (from.active_slot ?? null)) {
    const done = await order({ slot: active })
    if (!done.ok) return done
  }
  for (const { slot } of before) {
    if (after.some((each) => each.slot === slot)) continue
    const done = await order({ slot, graph_id: null, activate: false })
    if (!done.ok) return done
  }
  return undefined
}

const manifestOf = ({ id, slots, active_slot, pipeline, own_pipeline, ...rest }: Spec): Record<string, unknown> => ({
  ...rest,
  // what a slot runs is the stored pipeline's
  ...(active_slot === undefined || active_slot === null ? { pipeline } : {}),
})

const writeStream = async (id: string, document: object, now: BackupItem | undefined): Promise<Done> => {
  const to = document as Spec
  if (!now) return ask(api.POST('/v1/streams', { body: { ...to, id } as Documents['StreamManifestOrder'] }))
  const from = now.document as unknown as Spec
  const refused = await writeSlots(id, from, to)
  if (refused) return refused
  const patch = mergePatch(manifestOf({ ...from, ...pickActive(to) }), manifestOf(to))
  if (isSame(patch, {})) return { ok: true, value: undefined, revision: null }
  return ask(api.PATCH('/v1/streams/{id}', { params: { path: { id } }, body: { patch } }))
}

/** Which slot runs by now. */
const pickActive = ({ active_slot }: Spec): Pick<Spec, 'active_slot'> =>
  active_slot === undefined ? {} : { active_slot }

/** Writes one item. now: what the device had of it when it was compared; undefined: nothing. */
export const writeItem = ({ kind, id, document }: BackupItem, now: BackupItem | undefined): Promise<Done> => {
  if (kind === 'pipeline') return writePipeline(id, document, now === undefined)
  if (kind === 'stream') return writeStream(id, document, now)
  if (kind === 'robot') return ask(api.PATCH('/v1/device/robot-dimensions', { body: document }))
  return ask(api.POST('/v1/device/nt4', { body: document }))
}
