// The device on which the service runs: what it is, how it does, how it is fed, what is in it.
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { CONDITIONS, DEVICE_RUNS, SYSTEM_METRICS } from '../../actors/system/tokens.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { Fan, fanExample, Peripheral, peripheralExample } from '../../machines/system/peripherals.ts'
import { PowerStatus, powerStatusExample, powerStatusOf } from '../../machines/system/power.ts'
import { SystemRelease, systemReleaseExample } from '../../machines/system/release.ts'
import { troublesOf } from '../../machines/system/troubles.ts'
import { SYSTEM } from '../../native/system/port.ts'
import { camerasOf } from '../cameras/area.ts'
import { Camera, cameraExample } from '../cameras/wire.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { DeviceMetrics, deviceMetricsExample, metricsQuery } from './metrics.ts'
import { PROMETHEUS_MEDIA_TYPE, prometheusTextOf } from './prometheus.ts'

const needs = {
  directory: DIRECTORY,
  system: SYSTEM,
  metrics: SYSTEM_METRICS,
  conditions: CONDITIONS,
  runs: DEVICE_RUNS,
  cameras: CAMERAS,
  streams: STREAM_REGISTRY,
}

const strict = { additionalProperties: false } as const
const NO_RUNS = { starts: 0, unsafe_shutdowns: 0, last_was_unsafe: null }

const Fans = Type.Object(
  { fans: Type.Array(Fan, { minItems: 1, maxItems: 32 }) },
  { ...strict, title: 'FanList', description: 'The fans of the device.' },
)

const Peripherals = Type.Object(
  {
    cameras: Type.Array(Camera, { description: 'As `GET /v1/peripherals/cameras` lists them.' }),
    others: Type.Array(Peripheral, { maxItems: 256, description: 'What else the system knows to be there.' }),
  },
  { ...strict, title: 'Peripherals', description: 'What is plugged into the device, and what is in it.' },
)

export const systemArea = areaOf(needs, ({ system, metrics, runs, ...parts }) =>
  area('system', 'The device on which the service runs: what it is, how it does, what is in it.', [
    read('GET', '/v1/device/os', {
      summary: 'What the device runs',
      about: 'The system, its kernel, the sort of device, and how it was switched off so far.',
      answer: SystemRelease,
      example: systemReleaseExample,
      get: async () => {
        const told = await system.release()
        return told ? { ...told, runs: runs.value ?? NO_RUNS } : noRelease
      },
      faults: ['system.no_release'],
    }),

    custom('GET', '/v1/device/metrics', {
      because: 'it can be had as text, too',
      summary: 'How the device does',
      about: oneLine`
        Sampled once a second from the first question on, until nobody has asked for half a minute; the first answer
        takes a moment. It costs less than a hundredth of a core.
      `,
      query: metricsQuery,
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        otherForms: [{ mediaType: 'text/plain', schema: Type.String({ description: 'As Prometheus reads it.' }) }],
        schema: DeviceMetrics,
        example: deviceMetricsExample,
      },
      faults: ['actor.unavailable'],
      serve: async ({ query: { format, window_s } }, reply) => {
        const sample = await metrics.ask()
        if (!sample) return sendProblem(reply, noSample)
        if (format === 'prometheus')
          return reply
            .header('cache-control', 'no-store')
            .type(PROMETHEUS_MEDIA_TYPE)
            .send(await prometheusTextOf(sample))
        const history = window_s === undefined ? {} : { history: metrics.historyOf(window_s) }
        return sendDocument(reply, 'ok', { ...sample, troubles: troublesOf(sample), ...history })
      },
    }),

    read('GET', '/v1/device/power', {
      summary: 'How the device is fed',
      about: oneLine`
        Whether its supply is enough, since when and how often it was not, and what chips measure. The supply is
        watched all the time: \`power_changed\` and \`throttling_changed\` tell of it.
      `,
      answer: PowerStatus,
      example: powerStatusExample,
      get: async ({ directory: { clock } }) => {
        metrics.needForAWhile()
        const rails = await system.rails()
        const conditions = parts.conditions()
        if (!conditions && rails.length === 0) return noPower
        const [now_us, now_ms] = [clock.monotonicUs(), clock.nowMs()]
        const toMs = (us: number) => Math.round(now_ms - (now_us - us) / 1e3)
        return powerStatusOf(conditions, rails, runs.value ?? NO_RUNS, toMs)
      },
      faults: ['system.no_power'],
    }),

    read('GET', '/v1/peripherals', {
      summary: 'What is plugged into the device and what is in it',
      about: 'Cameras, and what else the system knows: fans, meters, lights, chips. Nothing is asked over a bus.',
      answer: Peripherals,
      example: { cameras: [cameraExample], others: [peripheralExample] },
      get: async () => parts.cameras.fault ?? { cameras: camerasOf(parts), others: await system.peripherals() },
      faults: ['device.failed'],
    }),

    read('GET', '/v1/peripherals/fan', {
      summary: 'The fans of the device',
      answer: Fans,
      example: { fans: [fanExample] },
      get: async () => {
        const fans = await system.fans()
        return fans.length > 0 ? { fans } : noFan
      },
      faults: ['system.no_fan'],
    }),
  ]),
)

const noRelease = fault(
  'system.no_release',
  'there is neither /etc/os-release nor /usr/lib/os-release that names the system; an image should bring one',
)

const noPower = fault(
  'system.no_power',
  oneLine`
    nothing in this device measures its supply, and its firmware tells nothing of it; a Raspberry Pi does, and so does a
    chip such as INA226 whose driver is loaded
  `,
)

const noFan = fault(
  'system.no_fan',
  oneLine`
    the system shows no fan; one that is wired to the supply turns without being known, and one with a driver (pwm-fan)
    is listed here
  `,
)

const noSample = fault('actor.unavailable', 'how the device does is not known yet; ask again in a second')
