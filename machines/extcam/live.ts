// The live settings: what a robot program has set on its camera while it runs. They live until the device's next boot,
// and are never stored.

/** What a robot wants of one stream beyond its settings. */
export interface LiveControls {
  /** Only the tag with this id may be the primary target; null: any. */
  readonly priority_id: number | null
  /**
   * A point to aim at instead of a tag's centre: m, from it, in the tag's axes as the vendor has them (x right, y down,
   * z into the tag). null: the centre.
   */
  readonly aim_m: readonly [x: number, y: number, z: number] | null
  /** The only tags from which the robot's pose is solved; null: all of the map. */
  readonly localization_ids: readonly number[] | null
  /** How many frames are left out after each that is processed. */
  readonly skip: number
  /** What tag detectors decimate by, in place of what the pipeline says; null: that. */
  readonly decimate: number | null
  /** The part of the picture in which tags are looked for, as shares of it from the top left; null: all. */
  readonly window: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number } | null
}
export const NO_LIVE_CONTROLS: LiveControls = {
  priority_id: null,
  aim_m: null,
  localization_ids: null,
  skip: 0,
  decimate: null,
  window: null,
}

/** What the robot says of its heading. */
export interface Heading {
  /** CLOCK_MONOTONIC. */
  readonly at_us: number
  /** Counter-clockwise, unwrapped, 0 looks along the field's x axis (to the red wall). */
  readonly yaw_deg: number
  readonly yaw_rate_dps: number
}
