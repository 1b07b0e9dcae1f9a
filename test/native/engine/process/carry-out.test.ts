// In which order an engine says what it makes, on a camera that is none.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Addon, NativeStream } from '../../../../native/engine/process/addon.ts'
import { carryOutOrders } from '../../../../native/engine/process/carry-out.ts'
import { VisionEngine } from '../../../../native/engine/process/engine.ts'
import { ReportOutbox } from '../../../../native/engine/process/report-outbox.ts'
import { FrameReader } from '../../../../native/engine/protocol/frames.ts'
import type { Report } from '../../../../native/engine/protocol/reports.ts'
import { engineTask, smallCamera } from '../../../support/engine/engine-task.ts'
import { until } from '../../../support/until.ts'

const { plan } = engineTask(smallCamera)

/** An engine whose plans are made at once, and what it reports. */
const startEngine = () => {
  let plans = 0
  class Stream implements Pick<NativeStream, 'setPlan' | 'runTried' | 'dropTried'> {
    async setPlan(_plan: unknown, isTrial?: boolean) {
      plans += 1
      if (plans === 3) throw Object.assign(new Error('it is too large'), { code: 'engine.bad_task' })
      return isTrial ? 0 : plans
    }

    runTried() {
      return 0
    }

    dropTried() {}
  }
  const wire = new PassThrough()
  const reports: string[] = []
  const reader = new FrameReader<Report>((report) => {
    reports.push('ask' in report ? `${report.type} ${report.ask}` : report.type)
  })
  wire.on('data', (chunk) => reader.push(chunk))
  const outbox = new ReportOutbox(wire)
  const engine = new VisionEngine({ addon: { Stream, hosts: {} } as unknown as Addon, outbox })
  return { reports, take: carryOutOrders(engine, outbox) }
}

test('what is made one after the other is answered before the next is begun, be it made or not', async () => {
  const { reports, take } = startEngine()

  take({ type: 'plan', ask: 1, plan })
  take({ type: 'plan', ask: 2, plan, is_trial: true })
  take({ type: 'plan', ask: 3, plan })
  take({ type: 'plan', ask: 4, plan })
  await until('the answer to the last plan', () => reports.length >= 8)

  assert.deepEqual(reports, [
    ...['began 1', 'planned 1', 'began 2', 'answer 2'],
    ...['began 3', 'answer 3', 'began 4', 'planned 4'],
  ])
})
