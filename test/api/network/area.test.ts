// The networks of the device as the API has them: shown, changed on trial as a job, confirmed.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import type { NetworkView } from '../../../api/network/view.ts'
import type { Problem } from '../../../api/problems/problem.ts'
import { jobExample, newJob } from '../../../machines/jobs/job.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { FakeNetwork, FakeNetworkRecords } from '../../../native/network/fake.ts'
import { NETWORK, NETWORK_RECORDS } from '../../../native/network/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

const PATH = '/v1/device/network'
const toStatic = { interface: 'eth0', method: 'static', address: '10.2.54.11', prefix: 24 }

interface Kept {
  readonly records?: FakeNetworkRecords
  readonly documents?: FakeDocuments
}

const device = async (
  t: TestContext,
  port = new FakeNetwork(),
  { records = new FakeNetworkRecords(), documents = new FakeDocuments() }: Kept = {},
) => {
  const ports = [value(NETWORK, port), value(NETWORK_RECORDS, records)]
  const { app, fake } = await fakeApi(t, {}, { ports, documents })
  const send = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })
  await until('the networks', () => fake.directory.actor('network')?.getSnapshot().matches('idle'))
  return {
    send,
    fake,
    view: async (query = '') => (await send('GET', `${PATH}${query}`)).json<NetworkView>(),
    /** The job of the change as soon as it is in a state. */
    job: (state: string) =>
      until(`the job ${state}`, () =>
        fake
          .resolve(JOBS)
          .all()
          .find((each) => each.state === state),
      ),
  }
}

test('a change is a job that waits for a person, and is done when it is confirmed', async (t) => {
  const { send, view, job } = await device(t)

  assert.equal((await send('POST', PATH, toStatic)).statusCode, 204)
  const waiting = await job('waiting-user')
  assert.deepEqual([waiting?.kind, waiting?.resource_ref], ['network_change', { interface: 'eth0' }])
  const { change } = await view()
  assert.deepEqual([change?.step, change?.address, change?.job_id], ['waiting', '10.2.54.11', waiting?.id])
  assert.ok(change?.remaining_ms !== null && Number(change?.remaining_ms) <= 60_000)
  assert.equal((await send('POST', `${PATH}/confirm`)).statusCode, 204)

  assert.deepEqual((await job('done'))?.result, { kept: true, reason: 'it was confirmed' })
  assert.equal((await view()).interfaces[0]?.profile?.name, 'vedette-static-eth0')
})

test('to delete the job undoes the change, and a second one meanwhile is refused', async (t) => {
  const { send, view, job } = await device(t)
  await send('POST', PATH, toStatic)
  const waiting = await job('waiting-user')
  const second = await send('POST', PATH, { interface: 'eth0', method: 'dhcp' })
  assert.deepEqual([second.statusCode, second.json<Problem>().code], [409, 'actor.not_now'])

  await send('DELETE', `/v1/jobs/${waiting?.id}`)

  await job('cancelled')
  await until('the end', async () => (await view()).change?.step === 'ended')
  const { change, interfaces } = await view()
  assert.equal(change?.outcome?.kept, false)
  assert.equal(interfaces[0]?.addresses[0]?.address, '10.2.54.37')
})

test('a change that the device refuses is a job that failed, with the reason', async (t) => {
  const { send, job } = await device(t, new FakeNetwork(['network-refuses']))

  await send('POST', PATH, toStatic)

  const { fault } = (await job('failed')) ?? {}
  assert.deepEqual([fault?.code, /refuses/.test(String(fault?.detail))], ['network.undone', true])
})

test('a change that cannot be written down is refused, and leaves no job that waits', async (t) => {
  const records = new FakeNetworkRecords()
  records.fault = { code: 'storage.full', detail: 'the disk is full' }
  const { send, job, view } = await device(t, new FakeNetwork(), { records })

  const answer = await send('POST', PATH, toStatic)

  assert.deepEqual([answer.statusCode, answer.json<Problem>().code], [507, 'storage.full'])
  const { fault } = (await job('failed')) ?? {}
  assert.deepEqual([fault?.code, /the disk is full/.test(String(fault?.detail))], ['network.undone', true])
  assert.deepEqual((await view()).change?.step, 'ended')
})

test('a job whose change was not written down when the service ended fails with the next run', async (t) => {
  const documents = new FakeDocuments()
  const begun = newJob({ ...jobExample, kind: 'network_change', resource_ref: { interface: 'eth0' } })
  documents.jobSaves.push([{ ...begun, state: 'running' }])

  const { job } = await device(t, new FakeNetwork(), { documents })

  assert.equal((await job('failed'))?.fault?.code, 'job.interrupted')
})

test('where nobody can change the network it is still shown, and a change is answered with 502 and why', async (t) => {
  const { send, view } = await device(t, new FakeNetwork(['no-network-manager']))

  const { refusal, interfaces } = await view()
  assert.match(String(refusal), /NetworkManager does not run/)
  assert.equal(interfaces[0]?.addresses.length, 2)
  const answer = await send('POST', PATH, toStatic)
  assert.deepEqual([answer.statusCode, answer.json<Problem>().detail], [502, refusal])
})

test('a flaw names its field, and the devices of the team are asked on demand', async (t) => {
  const { send, view } = await device(t)
  const bad = await send('POST', PATH, { ...toStatic, gateway: '10.3.0.4' })
  assert.deepEqual([bad.statusCode, bad.json<Problem>().errors?.map(({ pointer }) => pointer)], [400, ['/gateway']])

  assert.deepEqual([(await view()).proposal, (await view()).reached], [null, []])
  await send('POST', '/v1/device/nt4', { team: 254, target: 'off' })
  const { proposal, reached } = await view('?check=true')
  assert.equal(proposal?.address, '10.2.54.11')
  assert.deepEqual(
    reached.map(({ name, is_reached, by }) => [name, is_reached, by]),
    [
      ['robot', false, 'ping'],
      ['radio', true, 'ping'],
      ['gateway', true, 'ping'],
    ],
  )
})
