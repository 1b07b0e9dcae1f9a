// What a row of the kind `command` can say, on rows of a small area: lamps, with an actor for each.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { emit, setup } from 'xstate'
import { command } from '../../../api/endpoints/command.ts'
import { area, type Endpoint } from '../../../api/endpoints/endpoint.ts'
import { SUCCESS } from '../../../api/problems/faults.ts'
import { openApi } from '../../../api/spec/openapi.ts'
import type { Reply } from '../../../machines/errors/fault.ts'
import Type from '../../../machines/schema/type.ts'
import { branch } from '../../../supervisors/composition/branch.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { assertDeclared, assertProblem } from '../../support/api/api.ts'
import { type OwnApi, ownApi } from '../../support/api/own-area.ts'
import { settle } from '../../support/clock/clock.ts'
import { until } from '../../support/until.ts'

interface Lit {
  readonly id: string
  readonly brightness: number
}
type LampEvent =
  | { readonly type: 'lamp.light'; readonly ask: number; readonly brightness: number }
  /** Taken, and never answered. */
  | { readonly type: 'lamp.think'; readonly ask: number }

/** Each counts how often it was lit, and answers with how it is. */
const lampMachine = setup({
  types: {
    input: {} as { readonly id: string },
    context: {} as { readonly id: string; readonly heard: string[] },
    events: {} as LampEvent,
    emitted: {} as Reply<Lit>,
  },
}).createMachine({
  id: 'lamp',
  context: ({ input }) => ({ ...input, heard: [] }),
  on: {
    'lamp.light': {
      actions: [
        ({ context, event }) => context.heard.push(`lit ${event.brightness}`),
        emit(({ context: { id }, event: { ask, brightness } }) => ({
          type: 'reply',
          ask,
          outcome: 'done',
          value: { id, brightness },
        })),
      ],
    },
    'lamp.think': { actions: ({ context }) => context.heard.push('thinks') },
  },
})

declare module '../../../machines/supervision/actors.ts' {
  interface Actors {
    readonly [lamp: `lamps/${string}`]: typeof lampMachine
  }
}

const lampBranch = branch({
  needs: { supervisor: SUPERVISOR },
  start: ({ supervisor }) =>
    Effect.forEach(
      ['left', 'right'],
      (id) =>
        supervisor.start({
          id: `lamps/${id}`,
          incarnate: Effect.succeed({ logic: lampMachine, options: { input: { id } } }),
        }),
      { discard: true },
    ),
})

const strict = { additionalProperties: false } as const
const Light = Type.Object(
  { brightness: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) },
  { ...strict, title: 'Light', description: 'How bright it shall be.' },
)
const Lamp = Type.Object(
  { id: Type.String(), brightness: Type.Integer() },
  { ...strict, title: 'Lamp', description: 'A lamp, and how bright it is.' },
)
const params = { id: Type.String({ examples: ['left'] }) }
const LIMIT_MS = 5_000 // longer than what an order has as a rule

const lampArea = area('lamps', 'Lamps.', [
  command('POST', '/v1/lamps/:id/light', {
    params,
    summary: 'Light a lamp',
    to: ({ params: { id } }) => `lamps/${id}`,
    body: { schema: Light, example: { brightness: 5 }, optional: true },
    send: ({ body: { brightness = 9 } }) => ({ type: 'lamp.light', brightness }),
    answer: {
      status: 'created',
      schema: Lamp,
      example: { id: 'left', brightness: 5 },
      of: ({ body: { brightness = 9 } }, { id }) => ({ id, brightness }),
      location: ({ id }: Lit) => `/v1/lamps/${id}`,
    },
  }),
  command('POST', '/v1/lamps/:id/think', {
    params,
    summary: 'Ask a lamp what it thinks',
    to: ({ params: { id } }) => `lamps/${id}`,
    limitMs: LIMIT_MS,
    send: () => ({ type: 'lamp.think' }),
  }),
])
const [light, think] = lampArea.endpoints as readonly [Endpoint, Endpoint]

const lamps = async (t: TestContext) => {
  const api = await ownApi(t, () => lampArea)
  await api.fake.start(lampBranch)
  return { ...api, heard: (id: string) => api.fake.directory.actor(`lamps/${id}`)?.getSnapshot().context.heard }
}

const lit = (api: Pick<OwnApi, 'send'>, id: string, payload?: object, headers = {}) =>
  api.send('POST', `/v1/lamps/${id}/light`, payload, headers)

test('an order goes to the actor of the resource that the path names, and to no other', async (t) => {
  const api = await lamps(t)

  const answered = await lit(api, 'right', { brightness: 3 })

  assertDeclared(light, answered)
  assert.deepEqual(JSON.parse(answered.body), { id: 'right', brightness: 3 })
  assert.deepEqual([api.heard('left'), api.heard('right')], [[], ['lit 3']])
})

test('a resource whose actor is down is unavailable, and its neighbour is not', async (t) => {
  const api = await lamps(t)
  await api.fake.takeDown('lamps/left')

  const down = await lit(api, 'left')

  assert.match(assertProblem(down, 'actor.unavailable').detail, /lamps\/left/)
  assertDeclared(light, down)
  assert.equal((await lit(api, 'right')).status, SUCCESS.created)
})

test('what was created is answered with 201 and its place, a repeat too', async (t) => {
  const api = await lamps(t)
  const order = { brightness: 4, request_id: 'once' }

  const created = await lit(api, 'left', order)
  const repeated = await lit(api, 'left', order)

  assert.deepEqual([created.status, created.location, created.isRepeat], [SUCCESS.created, '/v1/lamps/left', false])
  assert.deepEqual(repeated, { ...created, isRepeat: true })
  assert.deepEqual(api.heard('left'), ['lit 4'])
})

test('a body that may be left out is left out, empty, or checked like any other', async (t) => {
  const api = await lamps(t)
  const [sent, refused] = [
    [undefined, {}, { brightness: 2 }, { request_id: 'a' }],
    [{ brightness: 0 }, { colour: 1 }],
  ]

  for (const payload of sent) assert.equal((await lit(api, 'left', payload)).status, SUCCESS.created)
  for (const payload of refused) assertProblem(await lit(api, 'left', payload), 'body.invalid')
  const asText = await lit(api, 'left', undefined, { 'content-type': 'text/plain', 'content-length': '0' })

  assert.equal(asText.status, SUCCESS.created)
  assert.deepEqual(api.heard('left'), ['lit 9', 'lit 9', 'lit 2', 'lit 9', 'lit 9'])
})

test('an actor has as long for its answer as the row says', async (t) => {
  const api = await lamps(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let answered: Awaited<ReturnType<OwnApi['send']>> | undefined
  const asking = api.send('POST', '/v1/lamps/left/think').then((each) => {
    answered = each
  })
  await until('the order', () => api.heard('left')?.length)

  t.mock.timers.tick(LIMIT_MS - 1)
  await settle()
  assert.equal(answered, undefined)
  t.mock.timers.tick(1)
  await asking

  assert.ok(answered)
  assertProblem(answered, 'actor.timeout')
  assertDeclared(think, answered)
})

test('the documents say what such a row takes and gives', async (t) => {
  const { areas } = await lamps(t)

  const { paths, components } = openApi(areas, '1') as {
    paths: Record<string, { post: { requestBody: { required: boolean }; responses: Record<string, object> } }>
    components: { schemas: Record<string, object> }
  }

  const { requestBody, responses } = paths['/v1/lamps/{id}/light']?.post ?? assert.fail('it is not there')
  assert.equal(requestBody.required, false)
  const { headers, content } = responses[SUCCESS.created] as { headers: object; content: object }
  assert.ok('Location' in headers && 'Idempotent-Replayed' in headers)
  assert.match(JSON.stringify(content), /components\/schemas\/Lamp"/)
  assert.ok('LightOrder' in components.schemas)
})
