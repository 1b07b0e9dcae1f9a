// How far our estimate of the server's clock is from the truth: of a server on this machine whose clock is
// CLOCK_MONOTONIC and a known number, another one in each session. Read as everybody reads it, soon after the session
// has begun, and once its clock has been compared again; turn about on a machine that is as busy as others make it, and
// on one whose every core computes.

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { type Random, seeded } from '../../support/engine/random-graphs.ts'
import { startBusy } from '../../support/processes/busy.ts'
import { arrival } from '../../support/until.ts'
import { addStream, type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import { type Helper, type Measurement, start } from '../lab/lab.ts'
import { type Row, rowsOver, worst } from '../lab/row.ts'

const ROUNDS = 10 // of each kind
const SETTLE_MS = 500
const COMPARED_AGAIN_MS = 12_000
const FARTHEST_US = 1e12 // eleven days
const LIMIT_MS = 15_000
const SIZE = { width_px: 640, height_px: 480 }
const SERVER = new URL('known-clock.ts', import.meta.url).pathname

export const clockOffset: Measurement = async (lab) => {
  const random = seeded(5)
  const server = start(lab, process.execPath, [SERVER])
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: `127.0.0.1:${await server.line()}` })
  await addStream(daemon, { id: 'front', source: { backend: 'synthetic', motion: 'orbit', fps: 30, ...SIZE } })
  await server.line()
  const turns: Turn[] = []
  while (turns.length < 2 * ROUNDS) {
    const isBusy = turns.length % 2 === 1
    const end = isBusy ? startBusy(availableParallelism()) : () => {}
    lab.defer(end)
    const turn = { isBusy, ...(await session(daemon, server, random)) }
    end()
    turns.push(turn)
    lab.say(
      oneLine`
        ${isBusy ? 'busy: ' : ''}off by ${turn.soonUs.toFixed(1)} µs, later by ${turn.laterUs.toFixed(1)} µs; round trip
        ${turn.roundTripUs} µs
      `,
    )
  }
  return rowsOf(turns)
}

/** µs by which the estimate is off, either way. */
interface Turn {
  readonly isBusy: boolean
  readonly soonUs: number
  readonly laterUs: number
  readonly roundTripUs: number
}

const session = async (daemon: Daemon, server: Helper, random: Random): Promise<Omit<Turn, 'isBusy'>> => {
  const offsetUs = random(2 * FARTHEST_US) - FARTHEST_US
  server.tell(String(offsetUs))
  await arrival('the service at a server that it was cut off from', server.line(), undefined, LIMIT_MS)
  await delay(SETTLE_MS)
  const soon = await estimate(daemon)
  await delay(COMPARED_AGAIN_MS)
  const later = await estimate(daemon)
  return {
    soonUs: Math.abs(soon.server_offset_us - offsetUs),
    laterUs: Math.abs(later.server_offset_us - offsetUs),
    roundTripUs: soon.round_trip_us,
  }
}

interface Estimate {
  readonly server_offset_us: number
  readonly round_trip_us: number
}

const estimate = async ({ url }: Daemon): Promise<Estimate> => {
  const { status } = await getJson<{ status: Estimate & { readonly connected: boolean } }>(`${url}/v1/device/nt4`)
  if (!status.connected) throw new Error('there is no session whose clock could be told')
  return status
}

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const [calm, busy] = [turns.filter(({ isBusy }) => !isBusy), turns.filter(({ isBusy }) => isBusy)]
  const row = rowsOver(calm, `${calm.length} sessions`)
  const rowOfBusy = rowsOver(busy, `${busy.length} sessions`)
  const ms = (us: number) => us / 1000
  return [
    worst(
      row("error of our estimate of the server's clock, loopback, at worst", 'ms', ({ soonUs }) => ms(soonUs), {
        atMost: 0.5,
      }),
    ),
    row('  in the median', 'ms', ({ soonUs }) => ms(soonUs)),
    worst(row('  at worst, compared again after 10 s', 'ms', ({ laterUs }) => ms(laterUs), { atMost: 0.5 })),
    row('  the round trip of the reading that counts', 'ms', ({ roundTripUs }) => ms(roundTripUs)),
    worst(rowOfBusy('  at worst, with every core computing', 'ms', ({ soonUs }) => ms(soonUs))),
    rowOfBusy('  in the median of these', 'ms', ({ soonUs }) => ms(soonUs)),
  ]
}
