// The programs of plugins as real processes behind the real launcher, with both libraries that plugins import.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { pluginFolder } from '../../../support/plugins/plugin-folder.ts'
import { startedProgram } from '../../../support/plugins/started-program.ts'

const ECHO = {
  node: `
    import { writeFileSync, readFileSync } from 'node:fs'
    import { plugin, Answer } from 'vedette-plugin'
    plugin.start({
      onStart: ({ data_folder }) => writeFileSync(data_folder + '/kept', 'here'),
      onRequest: ({ path, query, body }) =>
        path === '/bytes' ? new Answer({ body: Buffer.from([1, 2, 3]), media_type: 'application/octet-stream' })
          : { path, query, body: body ?? null, kept: readFileSync(plugin.info.data_folder + '/kept', 'utf8') },
      onJob: ({ params, progress }) => (progress(50, 'half'), { doubled: params * 2 }),
      onPanel: (message) => plugin.panel({ heard: message }),
    })`,
  python: `
from vedette_plugin import plugin, Answer
def on_start(info):
    open(info["data_folder"] + "/kept", "w").write("here")
def on_request(request):
    if request["path"] == "/bytes":
        return Answer(body=bytes([1, 2, 3]), media_type="application/octet-stream")
    kept = open(plugin.info["data_folder"] + "/kept").read()
    return {"path": request["path"], "query": request["query"], "body": request["body"] or None, "kept": kept}
def on_job(job):
    job.progress(50, "half")
    return {"doubled": job.params * 2}
plugin.start(on_start=on_start, on_request=on_request, on_job=on_job, on_panel=lambda m: plugin.panel({"heard": m}))
`,
} as const

for (const runtime of ['node', 'python'] as const)
  test(`a program of ${runtime} starts, answers requests, does a job and ends when it is told to`, async (t) => {
    if (runtime === 'python' && !existsSync('/usr/bin/python3')) return t.skip('there is no Python here')
    const plugin = pluginFolder(t)('echo', { runtime, program: ECHO[runtime] })
    const { program, next, refusals } = await startedProgram(t, plugin)
    await next('ready')

    const request = {
      type: 'request',
      request: 1,
      method: 'GET',
      path: '/hello',
      query: 'a=1',
      media_type: null,
    } as const
    program.send(request)
    const { message: document } = await next('reply')
    program.send({ ...request, request: 2, path: '/bytes' })
    const bytes = await next('reply')
    program.send(
      { ...request, request: 3, method: 'POST', media_type: 'application/json' },
      Buffer.from('{"far":[1.5,-70000,"ü"]}'),
    )
    const posted = await next('reply')
    program.send({ type: 'job', job: 'abc-1', kind: 'double', params: 21 })
    const progress = await next('job_progress')
    const done = await next('job_done')
    program.send({ type: 'panel', message: { text: 'x'.repeat(300) } })
    const panel = await next('panel')
    await Effect.runPromise(program.end)

    const found = { path: '/hello', query: { a: '1' }, kept: 'here' }
    assert.deepEqual(document, { type: 'reply', request: 1, status: 200, body: { ...found, body: null } })
    assert.deepEqual([...(bytes.bytes ?? [])], [1, 2, 3])
    assert.deepEqual((posted.message as { body?: unknown }).body, { ...found, body: { far: [1.5, -70000, 'ü'] } })
    assert.deepEqual(progress.message, { type: 'job_progress', job: 'abc-1', percent: 50, message: 'half' })
    assert.deepEqual(done.message, { type: 'job_done', job: 'abc-1', result: { doubled: 42 } })
    assert.deepEqual(panel.message, { type: 'panel', message: { heard: { text: 'x'.repeat(300) } } })
    assert.deepEqual(refusals, [])
  })
