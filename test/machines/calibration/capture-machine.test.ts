// The machine of guided captures: no picture is taken twice at once, and no path leaves it stuck.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GuideKnown } from '../../../machines/calibration/capture/look.ts'
import { MIN_ENOUGH_PICTURES } from '../../../machines/calibration/capture/rules.ts'
import { type CaptureContext, captureMachine, captureStateName } from '../../../machines/calibration/capture-machine.ts'
import { capturedLook, guideKnown } from '../../support/calibration/looks.ts'
import { walk } from '../../support/walk.ts'

const seen = (look: ReturnType<typeof capturedLook>, known?: GuideKnown) => ({
  type: 'look.seen',
  look,
  ...(known && { known }),
})

const fitting = capturedLook({ at_ms: 1_200, lowers: 0.5 })
const enough = guideKnown({ pictures: MIN_ENOUGH_PICTURES, mean_px: 0.5 })
const taken = (known: GuideKnown) => ({
  type: 'xstate.done.actor.takePicture',
  output: { view: capturedLook({ right: 400 }), known },
})

test('on all paths a picture is taken alone, a refusal has its words, and the end is reached', () => {
  const states = new Set<string>()

  walk(captureMachine, {
    samples: [
      seen(capturedLook({ corners: [] })),
      seen(capturedLook({ lowers: 0 })),
      seen(fitting),
      seen(capturedLook({ at_ms: 1_300, right: 9, lowers: 0.5 })),
      seen(capturedLook({ at_ms: 1_250, edge_px: 9, lowers: 0.5 })),
      seen(fitting, guideKnown({ pictures: 0 })),
      { type: 'look.judged', judged: { kind: 'none', refusal: null }, look: fitting },
      { type: 'guide.known', known: guideKnown({ pictures: 2 }), taken: [capturedLook({}), capturedLook({})] },
      { type: 'guide.known', known: enough, taken: [] },
      taken(guideKnown({ pictures: 1 })),
      taken(enough),
      { type: 'xstate.error.actor.takePicture', error: { code: 'storage.full', detail: 'no room is left' } },
      { type: 'xstate.error.actor.watchPictures', error: { code: 'calibration.child_died', detail: 'it ended' } },
      { type: 'pictures.missing', detail: 'the stream is paused' },
      { type: 'solve.began', job_id: '3f9a12bc-7' },
      { type: 'solve.ended', outcome: 'good' },
      { type: 'solve.ended', outcome: 'lacking' },
      { type: 'solve.ended', outcome: 'failed' },
    ],
    sameAs: ({ context }) => {
      const { taken: pictures, known, before, since_ms, refusal, trouble, wanted } = context as CaptureContext
      return [Math.min(3, pictures.length), known?.pictures, before?.at_ms, since_ms, refusal?.code, trouble, wanted]
    },
    check: ({ before, event, snapshot }) => {
      const name = captureStateName(snapshot as never)
      states.add(name)
      const context = snapshot.context as CaptureContext
      assert.equal(context.refusal !== null, name === 'refused', `${name} after ${event.type}`)
      if (name === 'refused') assert.ok((context.refusal?.detail.length ?? 0) > 10)
      const previous = before as typeof snapshot | undefined
      if (previous?.matches({ capturing: 'accepted' }) && event.type.startsWith('look'))
        assert.ok(snapshot.matches({ capturing: 'accepted' }), 'a picture is taken while another one is')
    },
  })

  assert.deepEqual(
    [...states].sort(),
    ['accepted', 'done', 'enough', 'idle', 'looking', 'proposing', 'refused', 'solving'].sort(),
  )
})
