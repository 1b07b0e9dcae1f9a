// Bodies of localization made by chance, made sensible: what a schema cannot say of them.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../machines/schema/canonical-json.ts'

type Body = Readonly<Record<string, unknown>>

/** A body as its row can take it. path: of the row; undefined: it is none of localization. */
export const sensibleLocalization = (path: string, body: Body): object | undefined => {
  if (path === '/v1/localization/config' || path === '/v1/localization/validate') return sensibleConfig(body)
  if (path === '/v1/localization/external/sources/:id') return sensibleSource(body)
  if (path === '/v1/localization/profiles/import') return sensibleProfile(body)
  if (path === '/v1/localization/surveys/:id/accept') return sensibleAcceptance(body)
  return path === '/v1/localization/external/sources/:id/sample' ? sensibleSample(body) : undefined
}

const sensibleConfig = (body: Body): object => ({
  ...body,
  ...(typeof body.map_id === 'string' && { map_id: 'demo' }),
  ...(Array.isArray(body.streams) && { streams: ['front'] }),
  ...(Array.isArray(body.ignored) && { ignored: onceBy(body.ignored as readonly Body[], 'tag_id') }),
})

const sensibleSource = ({ kind, origin, of, mount, outputs, ...rest }: Body): object => ({
  ...rest,
  kind,
  origin: kind === 'relative' ? 'own' : origin === 'own' ? 'blue' : origin,
  ...(of === 'sensor' ? { of, mount: turned((mount ?? PLACE) as Body) } : of !== undefined && { of }),
  outputs: onceBy(outputs as readonly Body[], 'output_key'),
})

const sensibleProfile = ({ content, ...envelope }: Body): object => {
  const { config, rig, sources } = content as { config: Body; rig: Body; sources: readonly Body[] }
  const sensible = {
    config: sensibleConfig(config),
    maps: [],
    rig: { ...rig, cameras: (rig.cameras as readonly Body[]).slice(0, 1) },
    sources: sources.slice(0, 1).map(({ id, spec }) => ({ id, spec: sensibleSource(spec as Body) })),
  }
  const sha256 = createHash('sha256').update(canonicalJson(sensible)).digest('hex')
  return { ...envelope, version: 1, content: sensible, sha256 }
}

const sensibleSample = ({ captured_us: _ofOthers, age_us = 0, pose, ...rest }: Body): object => ({
  ...rest,
  output_key: 'pose',
  age_us,
  pose: turned((pose ?? PLACE) as Body),
})

/** Only what the survey says something of can be accepted. */
const sensibleAcceptance = (body: Body): object => ({
  ...body,
  ...(Array.isArray(body.tags) && { tags: [{ family: 'tag36h11', id: 1 }] }),
  ...(Array.isArray(body.cameras) && { cameras: [] }),
})

const PLACE = { x_m: 1, y_m: 2, z_m: 0 }

/** A pose has one rotation, in one of two forms. */
const turned = ({ quaternion, roll_deg = 0, pitch_deg = 0, yaw_deg = 0, ...place }: Body): object =>
  quaternion
    ? { ...place, x_m: 1, quaternion: { w: 1, x: 0, y: 0, z: 0 } }
    : { ...place, x_m: 1, roll_deg, pitch_deg, yaw_deg }

const onceBy = (list: readonly Body[], key: string): readonly Body[] => [
  ...new Map(list.map((each) => [each[key], each])).values(),
]
