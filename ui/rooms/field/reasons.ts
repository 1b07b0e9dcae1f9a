// Why something is not used, in plain words: one table for tags, one for cameras.
import type { LocalizationState, SourceReason, StreamReason, TagReason } from '../../state/localization-wire.ts'
import type { Shown, Tone } from '../../words.ts'

/** A reason as people read it. */
export interface Reason {
  /** Two or three words, for a mark. */
  readonly word: string
  readonly tone: Tone
  /** What it is, and what to do. */
  readonly sentence: string
}

/** Why a tag is not used. */
export const TAG_REASONS: Readonly<Record<TagReason, Reason>> = {
  unknown_tag: {
    word: 'not in the map',
    tone: 'bad',
    sentence: 'The map has no tag of this number. Is it the map of this field?',
  },
  other_family: {
    word: 'other family',
    tone: 'bad',
    sentence: 'The map has this number in another family of tags. Print the right one, or mend the map.',
  },
  twice: {
    word: 'seen twice',
    tone: 'bad',
    sentence: 'The camera sees this number in two places, and nobody knows which is the real one. Cover one of them.',
  },
  ignored: { word: 'ignored', tone: 'quiet', sentence: 'The settings, or the robot, say that it is left out.' },
  no_lens: {
    word: 'edge of the lens',
    tone: 'busy',
    sentence: 'It stands where nobody has measured the lens. A calibration with pictures up to the edge mends that.',
  },
  old_frame: {
    word: 'too late',
    tone: 'busy',
    sentence: 'Its picture came too late. The camera or the device has too much to do.',
  },
  clock_unknown: {
    word: 'time unknown',
    tone: 'busy',
    sentence: 'Nobody knows when its picture was taken, and the robot moves.',
  },
  inconsistent: {
    word: 'hangs elsewhere',
    tone: 'bad',
    sentence: 'By all others it hangs somewhere else than the map says. Measure it, or ignore it.',
  },
  mirror: {
    word: 'could be mirrored',
    tone: 'busy',
    sentence: 'Alone and from the front it fits two poses. A second tag, or the heading of the robot, decides.',
  },
  too_unsure: {
    word: 'not sure enough',
    tone: 'busy',
    sentence: 'It is too far away or too small to say where the robot is.',
  },
  off_field: { word: 'off the field', tone: 'bad', sentence: 'By it the robot would stand outside of the field.' },
  against_prediction: {
    word: 'jumps',
    tone: 'bad',
    sentence: 'By it the robot would be far from where it was a moment ago.',
  },
  heading_contradicts: {
    word: 'against the heading',
    tone: 'bad',
    sentence: 'By it the robot would be turned otherwise than its gyro says. Is the heading right?',
  },
}

/** A reason that has a place on the page where it is mended. */
export interface MendableReason extends Reason {
  /** Words and address of that place. id: of the stream. */
  readonly mend?: (id: string) => { readonly words: string; readonly href: string }
}

const ofStream = (words: string, tab: string) => (id: string) => ({
  words,
  href: `/streams/${encodeURIComponent(id)}${tab === '' ? '' : `?tab=${tab}`}`,
})

/** Why a camera is not used. */
export const STREAM_REASONS: Readonly<Record<StreamReason, MendableReason>> = {
  not_chosen: {
    word: 'not chosen',
    tone: 'quiet',
    sentence: 'The settings leave it out.',
    mend: () => ({ words: 'Choose it in Settings', href: '/field/settings' }),
  },
  not_live: {
    word: 'no pictures',
    tone: 'bad',
    sentence: 'No pictures come from it.',
    mend: ofStream('See why', 'faults'),
  },
  no_tags_in_pipeline: {
    word: 'finds no tags',
    tone: 'bad',
    sentence: 'Its pipeline does not look for tags.',
    mend: ofStream('Choose a pipeline that does', 'pipeline'),
  },
  no_lens: {
    word: 'not calibrated',
    tone: 'bad',
    sentence: 'Nobody has calibrated its lens, so what it sees cannot be measured.',
    mend: ofStream('See its camera', ''),
  },
  no_pose: {
    word: 'place not set',
    tone: 'bad',
    sentence: 'Nobody has said where it sits on the robot.',
    mend: () => ({ words: 'Say where in Rig', href: '/rig' }),
  },
  other_map: {
    word: 'other map',
    tone: 'bad',
    sentence: 'It uses another field map than the others.',
    mend: () => ({ words: 'See the maps', href: '/field/maps' }),
  },
  no_map: {
    word: 'no map',
    tone: 'bad',
    sentence: 'There is no field map of the name that is set.',
    mend: () => ({ words: 'Choose a map', href: '/field/maps' }),
  },
  clock_unknown: {
    word: 'time unknown',
    tone: 'busy',
    sentence: 'Nobody knows when its pictures are taken. It counts only while the robot stands still.',
  },
}

/** Why a source is not used, besides why a camera is not. */
export const SOURCE_REASONS: Readonly<Record<Exclude<SourceReason, StreamReason>, MendableReason>> = {
  off: {
    word: 'switched off',
    tone: 'quiet',
    sentence: 'Nobody solves the cameras together.',
    mend: () => ({ words: 'Switch it on in Localization', href: '/field/settings' }),
  },
  other_device: {
    word: 'other device',
    tone: 'peer',
    sentence: 'What another device has solved is shown here, and counts there.',
  },
  only_shown: { word: 'only shown', tone: 'quiet', sentence: 'It is declared to be shown, not to count.' },
  no_sample: { word: 'nothing yet', tone: 'quiet', sentence: 'Nothing has come of it yet.' },
  stale: { word: 'old', tone: 'bad', sentence: 'Its newest is too old to count. Does the program still run?' },
}

const unknown = (reason: string): Reason => ({
  word: reason.replaceAll('_', ' '),
  tone: 'quiet',
  sentence: 'The device gives no other reason.',
})

/** Of a tag. One that this page does not know yet is shown as the interface has it. */
export const tagReasonOf = (reason: string): Reason => TAG_REASONS[reason as TagReason] ?? unknown(reason)

/** Of a camera, likewise. */
export const streamReasonOf = (reason: string): MendableReason =>
  STREAM_REASONS[reason as StreamReason] ?? unknown(reason)

/** Of a source, likewise. */
export const sourceReasonOf = (reason: string): MendableReason =>
  SOURCE_REASONS[reason as keyof typeof SOURCE_REASONS] ?? streamReasonOf(reason)

/** How it is with the pose, in a word. */
export const JOINT_STATES: Readonly<Record<LocalizationState, Shown>> = {
  off: { word: 'switched off', tone: 'quiet' },
  waiting: { word: 'no camera yet', tone: 'busy' },
  tracking: { word: 'tracking', tone: 'good' },
  coasting: { word: 'by wheels alone', tone: 'busy' },
  lost: { word: 'lost', tone: 'bad' },
}
