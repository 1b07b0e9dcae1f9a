// A plugin brings a node: it is installed over HTTP, its node is among the types, a stream runs it, and goes on without
// it when the plugin is disabled, upgraded to one that lacks it, or gone, also after a restart of the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphWithNode, installNode } from '../support/plugins/installed-node.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const OF_FRONT = '/v1/streams/front'

interface Row {
  readonly values?: Readonly<Record<string, unknown>>
}
interface Stream {
  readonly status: {
    readonly state: string
    readonly restarts: number
    readonly pipeline: { readonly fault: { readonly code: string; readonly detail: string } | null }
  }
}

test('a stream runs the node of a plugin as long as there is one', async (t) => {
  const place = site(t)
  const daemon = await place.start()
  const rows = async (port: string, of: Daemon = daemon): Promise<readonly Row[]> => {
    const { status, body } = await of.send<{ sample: { rows: Row[] } | null }>(
      'GET',
      `${OF_FRONT}/pipeline/outputs/${port}/sample`,
    )
    return status === 200 ? (body.sample?.rows ?? []) : []
  }
  const looked = (what: string, values: Readonly<Record<string, unknown>>, of?: Daemon) =>
    until(
      what,
      () => rows('looked', of),
      ([row]) => Object.entries(values).every(([name, value]) => row?.values?.[name] === value),
    )
  const stream = (of: Daemon = daemon) => of.get<Stream>(OF_FRONT)
  const faultOf = async (pattern: RegExp, of?: Daemon) =>
    until(
      `a fault of the pipeline like ${pattern}`,
      () => stream(of),
      ({ status }) => pattern.test(status.pipeline.fault?.detail ?? ''),
    )
  const types = async () => {
    const { node_types } = await daemon.get<{ node_types: { type: string; params: object }[] }>(
      '/v1/pipelines/registry',
    )
    return node_types.filter(({ type }) => type.startsWith('trial.'))
  }
  const source = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 60, motion: 'still' }

  await t.test('before there is one, what needs it is refused, with its name', async () => {
    const { status, body } = await daemon.send<{ detail: string }>('POST', '/v1/streams', {
      id: 'front',
      source,
      pipeline: graphWithNode,
    })
    const { body: report } = await daemon.send<{ diagnostics: { code: string; message: string }[] }>(
      'POST',
      '/v1/pipelines/validate',
      { graph: graphWithNode },
    )

    assert.equal(status, 422, JSON.stringify(body))
    assert.match(body.detail, /a node of the plugin trial, which is not enabled on this device/)
    assert.deepEqual(
      report.diagnostics.map(({ code }) => code),
      ['node.plugin_missing'],
    )
  })

  await t.test('installed, it is a type of node like ours, and a stream runs it', async () => {
    await installNode(t, daemon)
    const [type, ...others] = await types()
    const created = await daemon.send('POST', '/v1/streams', { id: 'front', source, pipeline: graphWithNode })

    await looked('values of the plugin', { width: 640, gain: 1, by: '1.0.0' })

    assert.deepEqual(others, [])
    assert.match(JSON.stringify(type), /"category":"plugins".*"gain":\{.*"title":"Gain"/)
    assert.equal(created.status, 200)
    await until('no fault', async () => (await stream()).status.pipeline.fault === null)
  })

  await t.test('disabled, the rest of the pipeline goes on in the same engine, and enabled it is back', async () => {
    const before = await daemon.metrics('front')
    await daemon.send('POST', '/v1/plugins/trial/disable', {})
    await faultOf(/without the nodes of the plugin trial/)
    await until(
      'tags',
      () => rows('tags'),
      (found) => found.length > 0,
    )
    assert.deepEqual(await types(), [])

    await daemon.send('POST', '/v1/plugins/trial/enable', {})
    await looked('values again', { by: '1.0.0' })

    const after = await daemon.metrics('front')
    await until('no fault', async () => (await stream()).status.pipeline.fault === null)
    assert.deepEqual([after.engine_pid, after.restarts], [before.engine_pid, before.restarts])
  })

  await t.test('upgraded, it is the other one that looks', async () => {
    await installNode(t, daemon, '1.1.0')

    await looked('values of the other version', { by: '1.1.0' })
  })

  await t.test('after a restart of the service it runs again', async () => {
    await daemon.end('SIGKILL')
    const next = await place.start()

    await looked('values after the restart', { by: '1.1.0' }, next)

    await next.send('DELETE', '/v1/plugins/trial')
    await faultOf(/without the nodes of the plugin trial/, next)
    await until(
      'tags',
      () => rows('tags', next),
      (found) => found.length > 0,
    )
  })
})
