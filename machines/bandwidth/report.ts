// The effect of the bandwidth budget on the previews of a stream, for people: figures, and a sentence where they see
// less.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const mbit = (description: string) => Type.Number({ minimum: 0, description: `${description} Mbit/s.` })
const whole = (description: string) => Type.Integer({ minimum: 0, description })
const rate = (description: string) => Type.Number({ minimum: 0, description })

const LimitedPreview = Type.Object(
  {
    output: Type.String({ description: "Of the pipeline, as it was asked for; empty: the camera's picture." }),
    max_width_px: whole('As it was asked for; 0: as wide as the camera gives it.'),
    quality: whole("As it was asked for; 0: the camera's own."),
    overlay: Type.Boolean({ description: 'As it was asked for.' }),
    viewers: whole('Who watch it over the network.'),
    fps: rate('What they would see if nothing limited them, at most.'),
    granted_fps: rate('What they see at most.'),
    width_px: whole('What they would see if nothing limited them.'),
    granted_width_px: whole('What they see. A picture of the camera that is made smaller is grey.'),
  },
  { ...strict, title: 'LimitedPreview', description: 'A kind of picture that is watched over the network.' },
)

/** Of one stream, and of all together. */
export const StreamBandwidth = Type.Object(
  {
    budget_mbit_s: mbit('Of the previews of all streams (`--bandwidth-mbit-s`).'),
    priority: Type.Integer({ minimum: 1, maximum: 10, description: 'Of this stream; a higher one is limited later.' }),
    demand_mbit_s: mbit('What the previews of this stream would take if nothing limited them.'),
    granted_mbit_s: mbit('What they may take.'),
    sent_mbit_s: mbit('What was sent to their viewers last.'),
    device_demand_mbit_s: mbit('What the previews of all streams would take.'),
    device_granted_mbit_s: mbit('What these may take.'),
    previews: Type.Array(LimitedPreview, { description: 'What of it is watched over the network as MJPEG.' }),
    video_viewers: whole('Who watch it over the network as H.264; each counts with the most that he may be sent.'),
    result_listeners: whole('Who are told of its results over the network; they count with what they are sent.'),
  },
  {
    ...strict,
    title: 'StreamBandwidth',
    description: oneLine`
      What the previews of a stream take of the bandwidth budget of the device. Viewers on the device itself do not
      count.
    `,
  },
)
export type StreamBandwidth = Static<typeof StreamBandwidth>

/** Of a stream without viewers over the network. */
export const unwatched = (budget_mbit_s: number, priority: number): StreamBandwidth => ({
  budget_mbit_s,
  priority,
  demand_mbit_s: 0,
  granted_mbit_s: 0,
  sent_mbit_s: 0,
  device_demand_mbit_s: 0,
  device_granted_mbit_s: 0,
  previews: [],
  video_viewers: 0,
  result_listeners: 0,
})

/** Why a viewer sees less than it asked for; undefined: none does. */
export const limitOf = ({
  budget_mbit_s,
  device_demand_mbit_s,
  previews,
}: StreamBandwidth): { readonly code: 'preview.limited'; readonly detail: string } | undefined => {
  const limited = previews.filter(isLimited)
  const [worst] = limited.toSorted((one, other) => shareLeft(one) - shareLeft(other))
  if (!worst) return undefined
  const smaller = worst.granted_width_px < worst.width_px
  const sees = [
    worst.granted_fps < worst.fps && `${shown(worst.granted_fps)} of ${shown(worst.fps)} pictures a second`,
    smaller && `in grey and ${worst.granted_width_px} pixels wide instead of ${worst.width_px}`,
  ].filter(Boolean)
  return {
    code: 'preview.limited',
    detail: oneLine`
      Who watches this stream over the network sees it slower or smaller (${sees.join(', ')}): all previews together
      would take ${device_demand_mbit_s} Mbit/s, and ${budget_mbit_s} is the budget that the service was started with.
      Close previews, ask for less of them (max_width, fps), or give this stream a higher priority.
    `,
  }
}

type Limited = Static<typeof LimitedPreview>

const isLimited = ({ fps, granted_fps, width_px, granted_width_px }: Limited): boolean =>
  granted_fps < fps || granted_width_px < width_px

const shareLeft = ({ fps, granted_fps, width_px, granted_width_px }: Limited): number =>
  (granted_fps * granted_width_px ** 2) / Math.max(1, fps * width_px ** 2)

const shown = (fps: number): string => String(Math.round(fps * 10) / 10)
