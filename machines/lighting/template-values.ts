// An animation out of a template: where the template names a parameter, its value. The page previews templates with
// this, so it imports nothing but types.
import type { Keyframe, Picture, Track } from './frame.ts'

/** What takes the place of a parameter. */
export type ParameterValue = string | number

/** What a template has that its user chooses. */
export interface TemplateParameter {
  readonly name: string
  readonly default: ParameterValue
}

/**
 * A template's animation, as its schema has it: in place of a value there may be a text such as {colour}, which stands
 * for the parameter of that name.
 */
export interface TemplatePicture {
  readonly duration_ms: number | string
  readonly loop: Picture['loop']
  readonly tracks: readonly (Omit<Track, 'spread' | 'keyframes'> & {
    readonly spread: number | string
    readonly keyframes: readonly (Omit<Keyframe, 'level'> & { readonly level: number | string })[]
  })[]
}

/**
 * The picture of a template; parameters that are not among `values` have their defaults. What is not a number where
 * one belongs becomes NaN: whoever takes values from outside checks them first.
 */
export const withValues = (
  template: TemplatePicture,
  parameters: readonly TemplateParameter[],
  values: Readonly<Record<string, ParameterValue>>,
): Picture => {
  const value = (written: ParameterValue): ParameterValue => {
    const [, name] = /^\{([a-z_]{1,40})\}$/.exec(String(written)) ?? []
    if (name === undefined) return written
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    return given ?? parameters.find((each) => each.name === name)?.default ?? Number.NaN
  }
  return {
    duration_ms: Number(value(template.duration_ms)),
    loop: template.loop,
    tracks: template.tracks.map((track) => ({
      ...track,
      spread: Number(value(track.spread)),
      keyframes: track.keyframes.map((keyframe) => ({
        ...keyframe,
        colour: String(value(keyframe.colour)),
        level: Number(value(keyframe.level)),
      })),
    })),
  }
}
