// Guided captures as a user has them: a running service, its synthetic camera with a lens that nobody is told of, and a
// hand that follows the outline with the errors of a usual one. Pictures are drawn, found and judged until the service
// says that it is enough; then it is solved.
import { join } from 'node:path'
import { boardCamera, HIDDEN_LENS, type Service, type Solved } from '../../support/calibration/board-camera.ts'
import { GuidedPerson } from '../../support/calibration/guided-person.ts'
import { HELD_BOARD } from '../../support/calibration/simulated-hand.ts'
import { addStream, startDaemon } from '../lab/daemon.ts'
import type { Measurement } from '../lab/lab.ts'
import { quantile, type Row } from '../lab/row.ts'

const RUNS = 10
const MAX_TRIES = 40
const NINE_OF_TEN = 0.9

interface Run {
  /** Until it was good; infinite: it never was. */
  readonly pictures: number
  readonly tries: number
  readonly fxOffShare: number
}

export const guidedService: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'guided'), nt4: 'off' })
  const service = serviceAt(daemon.url)
  await addStream(daemon, { id: 'front', ...boardCamera({ pose: MIDDLE }) })
  const runs: Run[] = []
  for (let seed = 1; seed <= RUNS; seed++) {
    const run = await runOnce(service, seed)
    lab.say(`seed ${seed}: ${JSON.stringify(run)}`)
    runs.push(run)
  }
  await daemon.stop()
  const row = (what: string, unit: string, of: (run: Run) => number, figure?: Row['figure']): Row => {
    const values = runs.map(of)
    return {
      what: `guided capture in a running service, 1280x800: ${what}`,
      unit,
      measured: quantile(values, NINE_OF_TEN),
      low: Math.min(...values),
      high: Math.max(...values),
      from: `${RUNS} hands`,
      ...(figure && { figure }),
    }
  }
  return [
    row('pictures until the verdict is good, nine of ten', '', ({ pictures }) => pictures, { atMost: 12 }),
    row('how often the board was held somewhere', '', ({ tries }) => tries),
    row('fx off by', '%', ({ fxOffShare }) => 100 * fxOffShare),
  ]
}

const MIDDLE = { x_m: 0.45, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 20 }

const runOnce = async (service: Service, seed: number): Promise<Run> => {
  const person = new GuidedPerson(service, 'front', seed)
  let status = await person.begin()
  while (status.state !== 'enough' && person.tries < MAX_TRIES) status = await person.follow(status)
  const { body } = await service.send<Solved>('POST', '/v1/calibration/solve', {
    capture_id: person.id,
    square_width_mm: HELD_BOARD.square_mm,
  })
  await service.send('DELETE', `/v1/calibration/captures/${person.id}`)
  const { verdict, intrinsics } = body.calibration
  return {
    pictures: verdict === 'good' ? status.pictures_count : Number.POSITIVE_INFINITY,
    tries: person.tries,
    fxOffShare: Math.abs((intrinsics?.fx_px ?? Number.NaN) / HIDDEN_LENS.fx_px - 1),
  }
}

const serviceAt = (url: string): Service => ({
  send: async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  },
  get: async (path) => {
    const response = await fetch(url + path)
    if (!response.ok) throw new Error(`${path} answers ${response.status}`)
    return JSON.parse(await response.text())
  },
})
