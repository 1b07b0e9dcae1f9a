// What is said of localization, by shorter names.
import type { Documents } from '../api/documents.ts'

/** The pose of all cameras together. */
export type Solve = Documents['LocalizationSolve']

/** A tag of the newest round. */
export type SolveTag = Documents['SolvedTag']

/** A camera of the newest round. */
export type SolveCamera = Documents['SolvedCamera']

/** The robot's heading, as it says it and as the tags show it. */
export type SolveHeading = Documents['SolvedHeading']

/** How it is with the pose of all cameras. */
export type LocalizationState = Solve['state']

/** Why a tag is not used. */
export type TagReason = NonNullable<SolveTag['reason']>

/** Why a camera is not used. */
export type StreamReason = NonNullable<SolveCamera['reason']>

/** Why a source is not used. */
export type SourceReason = NonNullable<Documents['LocalizationSource']['why_not']>
