// A client of the HTTP interface as a stranger would write it: with types made from /openapi.json, which
// test/client/client.test.ts puts beside it.
import type { components, paths } from './vedette'

type Schemas = components['schemas']
type Json<Response> = Response extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never

/** What a GET answers. */
type Got<Path extends keyof paths> = paths[Path] extends {
  readonly get: { readonly responses: { readonly 200: infer Ok } }
}
  ? Json<Ok>
  : never

const get = async <Path extends keyof paths>(path: Path, params: Record<string, string> = {}): Promise<Got<Path>> => {
  const response = await fetch(String(path).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''))
  if (!response.ok) throw new Error(sentence((await response.json()) as Schemas['Problem']))
  return (await response.json()) as Got<Path>
}

const sentence = ({ code, detail, errors = [] }: Schemas['Problem']): string =>
  code === 'revision.stale'
    ? 'somebody else was faster'
    : [detail, ...errors.map(({ pointer, message }) => `${pointer} ${message}`)].join('\n')

/** The least that makes a stream. */
export const least: Schemas['StreamManifest'] = { source: { backend: 'synthetic' } }

/** The same stream under another name: what was read can be sent. */
export const copyOf = ({ spec }: Schemas['Stream'], id: string): Schemas['StreamManifest'] => ({ ...spec, id })

/** Those of peers are in the list for who asks for them. */
const isOwn = (stream: Got<'/v1/streams'>['items'][number]): stream is Schemas['Stream'] => !('origin' in stream)

/** Everything a dashboard shows. */
export const show = async (): Promise<string[]> => {
  const { status, parts, uptime_ms } = await get('/v1/health')
  const { items } = await get('/v1/streams')
  const streams = items.filter(isOwn)
  const nt4 = await get('/v1/device/nt4')
  const { items: errors } = await get('/v1/errors')
  const { items: maps } = await get('/v1/localization/maps')
  return [
    `${status} for ${(uptime_ms / 1000).toFixed(0)} s`,
    ...parts.map(({ name, state, fault }) => `${name}: ${fault?.detail ?? state}`),
    ...(await Promise.all(streams.map(showStream))).flat(),
    `robot: ${nt4.status.connected ? `${((nt4.status.round_trip_us ?? 0) / 1000).toFixed(1)} ms` : nt4.status.state}`,
    ...errors.map(({ code, count, last_at_ms }) => `${code} ${count} ${new Date(last_at_ms).toISOString()}`),
    ...maps.map(({ name, length_m, width_m, tag_count }) => `${name} ${length_m * width_m} ${tag_count.toFixed()}`),
  ]
}

const showStream = async ({ id, revision, spec, status }: Schemas['Stream']): Promise<string[]> => {
  const { outputs } = await get('/v1/streams/{id}/pipeline/outputs', { id })
  const { latency_us, stages_us } = await get('/v1/streams/{id}/metrics', { id })
  const { sample } = await get('/v1/streams/{id}/truth', { id })
  const samples = await Promise.all(
    outputs.map(({ port }) => get('/v1/streams/{id}/pipeline/outputs/{port}/sample', { id, port })),
  )
  const { source } = spec
  const fps = 'fps' in source ? source.fps.toFixed() : 'its own'
  return [
    `${spec.alias} ${status.state} ${revision === status.applied_revision}`,
    `${fps} fps ${source.backend === 'images' ? source.pace : source.backend}`,
    ...spec.pipeline.nodes.map(({ id, params }) => `${id} ${Object.keys(params).length}`),
    `${latency_us?.p99 ?? 'no frame yet'} ${stages_us.map(({ id, p50 }) => `${id} ${p50}`)}`,
    `${sample?.error?.distance_m.toFixed(3) ?? 'no pose'}`,
    ...samples.flatMap(showSample),
  ]
}

const showSample = (output: Schemas['OutputSample']): string[] => {
  switch (output.kind) {
    case 'detections':
      return output.sample?.rows.map(({ family, id, corners }) => `${family} ${id} ${corners[0]?.x_px}`) ?? []
    case 'points':
      return output.sample?.rows.map(({ id, corners }) => `${id} ${corners[0]?.x}`) ?? []
    case 'tag_poses':
      return output.sample?.rows.map(({ alternative, error_px }) => `${error_px} ${alternative?.error_px}`) ?? []
    case 'field_pose':
      return output.sample?.rows.map(({ field_robot, deviations }) => `${field_robot.x_m} ± ${deviations.x_m}`) ?? []
    case 'contours':
      return output.sample?.rows.map(({ area_px, corners }) => `${area_px} ${corners[0]?.x_px}`) ?? []
    case 'targets':
      return output.sample?.rows.map(({ tx_deg, pose }) => `${tx_deg} ${pose?.camera_target.z_m}`) ?? []
    case 'circles':
      return output.sample?.rows.map(({ center, radius_px }) => `${center.x_px} ${radius_px}`) ?? []
    case 'objects':
      return output.sample?.rows.map(({ label, confidence, center }) => `${label} ${confidence} ${center.x_px}`) ?? []
    case 'classes':
      return output.sample?.rows.map(({ label, confidence }) => `${label} ${confidence}`) ?? []
    case 'barcodes':
      return output.sample?.rows.map(({ text, corners }) => `${text} ${corners[0]?.x_px}`) ?? []
    case 'exposure':
      return output.sample?.rows.map(({ median, bright_share }) => `${median} ${bright_share}`) ?? []
    case 'focus':
      return output.sample?.rows.map(({ sharpness, best }) => `${sharpness} ${best}`) ?? []
    case 'values':
      return output.sample?.rows.map(({ values }) => Object.keys(values).join()) ?? []
    case 'truth':
      return output.sample?.rows.map(({ field_robot }) => `${field_robot.qw}`) ?? []
    case 'visible':
      return output.sample?.rows.map(({ id, visible_fraction }) => `${id} ${visible_fraction}`) ?? []
  }
}
