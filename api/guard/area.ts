// The resource guard: what it does, its settings, and the word that a stream shall have everything back.
import { DIRECTORY } from '../../actors/directory.ts'
import { GUARD_VIEW } from '../../actors/guard/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { maxCelsius } from '../../machines/guard/causes.ts'
import { guardSettingsChanged, streamGuarded } from '../../machines/guard/events.ts'
import type { DeviceReading } from '../../machines/guard/reading.ts'
import { GuardSettings } from '../../machines/guard/settings.ts'
import { GUARD_DOCUMENT, guardCollection, guardSettingsIn } from '../../machines/guard/settings-collection.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import { mergeOrder } from '../../machines/settings/commit.ts'
import type { Given } from '../../machines/token.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { streamNotFound } from '../stream/of-stream.ts'
import { ResourceGuard, resourceGuardExample } from './wire.ts'

const needs = { directory: DIRECTORY, view: GUARD_VIEW, streams: STREAM_REGISTRY }

const GuardChange = Type.Partial(GuardSettings, {
  additionalProperties: false,
  title: 'GuardChange',
  description: 'What shall be another; what is left out stays as it is.',
})

export const guardArea = areaOf(needs, (parts) =>
  area('guard', 'What streams get when the device has too little for all.', [
    read('GET', '/v1/device/resource-guard', {
      summary: 'What the resource guard does, and why',
      about: oneLine`
        When the device gets too hot, has too little memory or is so busy that streams are late, streams are cut, the
        most dispensable first: how often their previews show a picture, how large that is, how many pictures are
        processed, and at last the ones of the lowest \`priority\` are stopped. What the first one computes is never cut
        as long as another can be. All comes back by itself, step by step.
      `,
      answer: ResourceGuard,
      example: resourceGuardExample,
      get: () => guardDocument(parts),
    }),

    command('PATCH', '/v1/device/resource-guard', {
      summary: 'Set when the resource guard cuts',
      about: 'In force within a second. Switched off it gives everything back at once.',
      conditional: true,
      publishes: [guardSettingsChanged],
      to: 'settings',
      body: { schema: GuardChange, example: { may_pause: false, max_celsius: 75 } },
      send: ({ body, expected }) => mergeOrder(guardCollection, GUARD_DOCUMENT, body, expected),
      answer: { schema: ResourceGuard, example: resourceGuardExample, of: () => guardDocument(parts) },
    }),

    command('POST', '/v1/device/resource-guard/restore/:stream_id', {
      summary: 'Give a stream back all that was taken from it',
      about: oneLine`
        For as long as \`restore_hold_s\` of the settings says nothing is taken from it again, whatever becomes of the
        others. Answers with what the guard does then.
      `,
      to: 'guard',
      params: { stream_id: { ...StreamId, examples: ['front'] } },
      publishes: [streamGuarded],
      send: ({ params: { stream_id } }) =>
        parts.streams.get(stream_id) ? { type: 'guard.restore', stream_id } : streamNotFound(stream_id),
      answer: { schema: ResourceGuard, example: resourceGuardExample, of: () => guardDocument(parts) },
      faults: ['stream.not_found'],
    }),
  ]),
)

const guardDocument = ({ directory, view, streams }: Given<typeof needs>): ResourceGuard => {
  const { revision, value: settings } = guardSettingsIn(directory.settings)
  const { findings } = view
  const order = findings?.order ?? streams.all().flatMap(({ id, manifest }) => (manifest.enabled ? [id] : []))
  return {
    revision,
    state: view.state,
    settings,
    figures: findings ? shownFigures(findings.device) : null,
    max_celsius: findings ? maxCelsius(settings, findings.device) : settings.max_celsius,
    causes: (findings?.causes ?? []).map(({ cause, measure, asks, value, limit }) => ({
      cause,
      measure,
      asks,
      value,
      limit,
    })),
    streams: order.flatMap((id) => {
      const stream = streams.get(id)
      const lateness = Math.round(100 * (findings?.lateness.get(id) ?? 0)) / 100
      return stream ? [{ stream_id: id, lateness, guard: stream.guard.status }] : []
    }),
    decisions: view.decisions.map(({ told_at_ms, stream_id, what, why, detail }) => ({
      at_ms: told_at_ms,
      stream_id,
      what,
      why,
      detail,
    })),
  }
}

/** To a tenth: what is shown is read by people. */
const shownFigures = (device: DeviceReading): NonNullable<ResourceGuard['figures']> => {
  const tenth = (value: number | null) => value && Math.round(10 * value) / 10
  return {
    celsius: tenth(device.celsius),
    limit_celsius: tenth(device.limit_celsius),
    is_throttled: device.is_throttled,
    cpu_pressure: tenth(device.cpu_pressure),
    cpu_load: tenth(device.cpu_load),
    memory_some: tenth(device.memory_some),
    memory_full: tenth(device.memory_full),
    memory_available: tenth(device.memory_available),
    io_full: tenth(device.io_full),
    disk_free: tenth(device.disk_free),
  }
}
