// What is said of localization, as the interface has it.
import type { Documents } from '../api/documents.ts'

/** How it is with the pose of all cameras. */
export type LocalizationState = 'off' | 'waiting' | 'tracking' | 'coasting' | 'lost'

/** Why a tag is not used. */
export type TagReason =
  | 'unknown_tag'
  | 'other_family'
  | 'twice'
  | 'ignored'
  | 'no_lens'
  | 'old_frame'
  | 'clock_unknown'
  | 'inconsistent'
  | 'mirror'
  | 'too_unsure'
  | 'off_field'
  | 'against_prediction'
  | 'heading_contradicts'

/** Why a camera is not used. */
export type StreamReason =
  | 'not_chosen'
  | 'not_live'
  | 'no_tags_in_pipeline'
  | 'no_lens'
  | 'no_pose'
  | 'other_map'
  | 'no_map'
  | 'clock_unknown'

/** A tag of the newest round. */
export interface SolveTag {
  readonly stream_id: string
  readonly family: string
  readonly id: number
  readonly used: boolean
  readonly reason: TagReason | null
  readonly residual_px: number | null
  readonly chi2: number | null
  readonly sigma_px: number
  readonly weight: number
}

/** A camera of the newest round. */
export interface SolveCamera {
  readonly stream_id: string
  readonly used: boolean
  readonly reason: StreamReason | null
  readonly age_ms: number | null
  readonly tags_used: number
  readonly residual_px: number | null
  readonly offset: { readonly x_m: number; readonly y_m: number; readonly yaw_deg: number } | null
}

/** The robot's heading, as it says it and as the tags show it. */
export interface SolveHeading {
  readonly said_deg: number | null
  readonly seen_deg: number | null
  readonly offset_deg: number | null
  readonly used: boolean
}

/** The pose of all cameras together. */
export interface Solve {
  readonly state: LocalizationState
  /** Of the config. */
  readonly revision: number
  readonly map: { readonly id: string; readonly hash: string } | null
  readonly round: number | null
  readonly age_ms: number | null
  readonly pose: Documents['Pose'] | null
  readonly std_devs: Documents['Deviations'] | null
  readonly std_xy_m: number | null
  readonly is_sure: boolean
  readonly tags: readonly SolveTag[]
  readonly cameras: readonly SolveCamera[]
  readonly heading: SolveHeading
  readonly rejected: Readonly<Record<string, number>>
  readonly cpu_us: number | null
}

/** What is set of localization. */
export interface LocalizationSpec {
  readonly enabled: boolean
  readonly map_id: string | null
  readonly streams: 'all' | readonly string[]
  readonly ignored: readonly { readonly tag_id: number; readonly why: string }[]
  readonly priors: { readonly z_std_m: number; readonly tilt_std_deg: number }
  readonly heading: { readonly use: boolean; readonly std_deg: number; readonly learn_offset: boolean }
  readonly odometry: { readonly source: 'nt4' | 'none' }
  readonly errors: Readonly<Record<'map_m' | 'map_deg' | 'mount_m' | 'mount_deg' | 'lens_share', number>>
  readonly gate: Readonly<Record<'tag_chi2' | 'fused_chi2' | 'max_std_m', number>>
  readonly round_wait_ms: number
}

/** The document of localization. */
export interface LocalizationDocument {
  readonly revision: number
  readonly spec: LocalizationSpec
  readonly status: {
    readonly state: LocalizationState
    readonly map: Solve['map']
    readonly streams: readonly {
      readonly stream_id: string
      readonly used: boolean
      readonly reason: StreamReason | null
    }[]
  }
}
