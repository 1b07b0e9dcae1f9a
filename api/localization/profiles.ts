// The rows of profiles: localization and rig of a device as one document, to be kept or taken to another one.
import { createHash } from 'node:crypto'
import { DIRECTORY } from '../../actors/directory.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { LocalizationConfig } from '../../machines/localization/config.ts'
import { localizationConfigIn } from '../../machines/localization/config-collection.ts'
import { localizationConfigChanged } from '../../machines/localization/events.ts'
import { externalSourceCollection } from '../../machines/localization/external/source.ts'
import { LOOK_FOR_MAPS, MAP_HASH } from '../../machines/localization/field-map.ts'
import {
  PROFILE_FORMAT,
  PROFILE_VERSION,
  Profile,
  type ProfileContent,
  SentProfile,
} from '../../machines/rig/profile.ts'
import { type ImportPlan, type Present, planImport } from '../../machines/rig/profile-import.ts'
import { ROBOT, rigCollection } from '../../machines/rig/robot.ts'
import { canonicalJson } from '../../machines/schema/canonical-json.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { COLLECTIONS } from '../../machines/settings/collection.ts'
import { decide, severalOrder } from '../../machines/settings/commit.ts'
import { documentOf, documentsOf, listRevisionOf } from '../../machines/settings/store.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { Given } from '../../machines/token.ts'
import { IDENTITY, keptIdentity } from '../../native/identity/port.ts'
import { command, Done } from '../endpoints/command.ts'
import { read } from '../endpoints/read.ts'
import { laidOut, rigNeeds } from '../rig/pose.ts'
import { unfit } from './config.ts'
import { configExample } from './wire.ts'

/** The needs of the rows. */
export const profileNeeds = {
  ...rigNeeds,
  directory: DIRECTORY,
  look: LOOK_FOR_MAPS,
  hash: MAP_HASH,
  identity: IDENTITY,
  collections: COLLECTIONS,
}
type ProfileParts = Given<typeof profileNeeds>

const strict = { additionalProperties: false } as const

/** Forty maps of a thousand tags. */
const MAX_PROFILE_BYTES = 8 * 1024 * 1024

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const contentExample = {
  config: { ...configExample, map_id: null, streams: 'all' as const },
  maps: [],
  rig: { robot: { length_m: 0.82, width_m: 0.76 }, cameras: [] },
  sources: [],
}

const profileExample = {
  format: PROFILE_FORMAT,
  version: PROFILE_VERSION,
  exported_at_ms: 1_767_225_600_000,
  device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
  service: '1.4.0',
  sha256: sha256(canonicalJson(contentExample)),
  content: contentExample,
  revisions: { config: 3, rig: 2, sources: 1 },
}

const DonePart = Type.Object(
  {
    part: Type.Enum(['config', 'map', 'source', 'robot', 'pose'], { description: 'What it is.' }),
    id: Type.String({ description: 'Which one; of a map the id that it has here.' }),
    action: Type.Enum(['same', 'added', 'replaced', 'renamed', 'removed', 'pending'], {
      title: 'ImportAction',
      description: oneLine`
        \`same\`: it was so before. \`added\`, \`replaced\`, \`removed\`: as it says. \`renamed\`: it has another id here.
        \`pending\`: it waits for a stream that has the camera.
      `,
    }),
  },
  { ...strict, title: 'ImportedPart', description: 'What became of a part of a profile.' },
)

const Imported = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the config, after that.' }),
    dry_run: Type.Boolean({ description: 'Whether nothing was stored.' }),
    config: LocalizationConfig,
    done: Type.Array(DonePart, { description: 'Of all parts; of a dry run, what would become of them.' }),
    warnings: Type.Array(Type.String(), { description: 'Sentences for people.' }),
  },
  { ...strict, title: 'ImportedProfile', description: 'The config after an import, and what was done.' },
)

const query = {
  dry_run: Type.Optional(Type.Boolean({ description: 'Store nothing, and say what would be done. Default: false.' })),
  mode: Type.Optional(
    Type.Enum(['replace', 'merge'], {
      description: oneLine`
        replace: sources that are not in the profile are removed, and the robot is as it says. merge: they stay, and so do
        ignored tags. Maps, and poses of other cameras, stay in either. Default: replace.
      `,
    }),
  ),
  on_conflict: Type.Optional(
    Type.Enum(['replace', 'rename'], {
      description: oneLine`
        What becomes of a map where there is another one of its id. replace: the one here is gone. rename: it gets
        another id, and the config follows. Default: the profile is refused.
      `,
    }),
  ),
}

/** The rows. */
export const profileRows = (parts: ProfileParts) => {
  const plans = new WeakMap<object, ImportPlan>() // by the request, until it is answered
  return [
    read('GET', '/v1/localization/profiles/export', {
      summary: 'Localization and rig as one document',
      about: oneLine`
      The config, all maps that do not come with the service, the poses of the cameras, the size of the robot and the
      sources outside of the service. No samples, no secrets and nothing of peers.
    `,
      answer: Profile,
      example: profileExample,
      get: () => exported(parts),
    }),

    command('POST', '/v1/localization/profiles/import', {
      summary: 'Take a profile',
      about: oneLine`
      All of it in one transaction, or nothing. A camera that is not here gets its pose when a stream has it. A profile
      of a newer form is refused; the hash must be that of its content.
    `,
      query,
      publishes: [localizationConfigChanged],
      to: 'settings',
      body: {
        schema: SentProfile,
        example: profileExample,
        invalid: 'localization.invalid',
        maxBytes: MAX_PROFILE_BYTES,
      },
      send: async ({ body, request, query: { dry_run = false, ...options } }) => {
        const plan = await planned(parts, body, options)
        if (isFault(plan)) return plan
        plans.set(request, plan)
        const order = severalOrder(plan.orders)
        if (!dry_run) return order
        const wouldBe = decide(parts.collections, parts.directory.settings.getSnapshot().context, { ...order, ask: 0 })
        return isFault(wouldBe) ? wouldBe : new Done(null)
      },
      answer: {
        schema: Imported,
        example: {
          revision: 4,
          dry_run: false,
          config: contentExample.config,
          done: [{ part: 'config', id: 'config', action: 'replaced' }],
          warnings: [],
        },
        of: ({ request, query: { dry_run = false } }) => imported(parts, plans.get(request), dry_run),
      },
      faults: ['localization.invalid'],
    }),
  ]
}

const exported = async (parts: ProfileParts): Promise<object> => {
  const { directory, identity } = parts
  const { settings } = directory
  const content = await contentOf(parts)
  return {
    format: PROFILE_FORMAT,
    version: PROFILE_VERSION,
    exported_at_ms: directory.clock.nowMs(),
    device_id: keptIdentity(identity)?.device_id ?? null,
    service: directory.identity.version,
    sha256: sha256(canonicalJson(content)),
    content,
    revisions: {
      config: localizationConfigIn(settings).revision,
      rig: listRevisionOf(settings, rigCollection),
      sources: listRevisionOf(settings, externalSourceCollection),
    },
  }
}

const contentOf = async (parts: ProfileParts): Promise<ProfileContent> => {
  const { settings } = parts.directory
  const { maps, about } = await parts.look()
  return {
    config: localizationConfigIn(settings).value,
    maps: [...maps.values()].filter(({ id }) => about.get(id)?.origin !== 'built_in'),
    rig: {
      robot: documentOf(settings, rigCollection, ROBOT)?.value ?? {},
      cameras: laidOut(parts).map(({ camera_uid, name, stream, pose }) => ({
        camera_uid,
        name,
        stream_id: stream?.value.id ?? null,
        pose,
        lens: lensOf(stream?.value),
      })),
    },
    sources: Object.entries(documentsOf(settings, externalSourceCollection)).map(([id, { value: spec }]) => ({
      id,
      spec,
    })),
  }
}

type Lens = ProfileContent['rig']['cameras'][number]['lens']

const lensOf = (manifest: CanonicalManifest | undefined): Lens => {
  const { intrinsics } = manifest ?? {}
  if (!intrinsics) return null
  const { width_px: width, height_px: height } = intrinsics
  return { width, height, hash: sha256(canonicalJson(intrinsics)) }
}

interface Chosen {
  readonly mode?: 'replace' | 'merge'
  readonly on_conflict?: 'replace' | 'rename'
}

const planned = async (parts: ProfileParts, profile: SentProfile, chosen: Chosen): Promise<ImportPlan | Fault> => {
  const { version, content, sha256: said } = profile
  if (version > PROFILE_VERSION)
    return unfit([
      {
        pointer: '/version',
        message: `is ${version}: a newer service wrote it, and this one knows ${PROFILE_VERSION} at most; update it`,
      },
    ])
  const hash = sha256(canonicalJson(content))
  if (hash !== said)
    return unfit([{ pointer: '/sha256', message: `is not that of the content, which is ${hash}: it was changed` }])
  const { mode = 'replace', on_conflict: onConflict } = chosen
  const plan = planImport(content, await presentIn(parts), { mode, onConflict })
  return 'orders' in plan ? plan : unfit(plan)
}

const presentIn = async ({ directory: { settings }, look, hash, streams }: ProfileParts): Promise<Present> => {
  const { maps, about } = await look()
  return {
    config: localizationConfigIn(settings).value,
    maps,
    about,
    hash,
    sources: Object.fromEntries(
      Object.entries(documentsOf(settings, externalSourceCollection)).map(([id, { value }]) => [id, value]),
    ),
    streams: streams.all().map(({ manifest }) => manifest),
    robot: documentOf(settings, rigCollection, ROBOT)?.value ?? {},
  }
}

/** plan: undefined where a run of the service that has ended had made it. */
const imported = async (
  { directory: { settings }, look }: ProfileParts,
  plan: ImportPlan | undefined,
  dry_run: boolean,
): Promise<object> => {
  if (!dry_run) await look() // so that everybody hears of maps
  const { revision, value } = localizationConfigIn(settings)
  const { done = [], warnings = [], config = value } = plan ?? {}
  return { revision, dry_run, config: dry_run ? config : value, done, warnings }
}
