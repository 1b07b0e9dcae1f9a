// Field maps as files have them, in the three forms of others: small ones that are right, for tests to spoil.

/** A tag in the way of WPILib. */
export const wpilibTag = (ID: unknown, x = 1, y = 2, z = 0.5, quaternion: unknown = { W: 0, X: 0, Y: 0, Z: 1 }) => ({
  ID,
  pose: { translation: { x, y, z }, rotation: { quaternion } },
})

/** WPILib's form up to 2026. */
export const wpilibFile = (tags: readonly unknown[] = [wpilibTag(7)], field: unknown = { length: 16.5, width: 8 }) => ({
  tags,
  field,
})

/** WPILib's form of 2027. */
export const wpilib2027File = (tags: readonly unknown[] = [wpilibTag(7)]) => ({
  name: 'Gym',
  season: '2027',
  game: 'Practice',
  program: 'frc',
  'field-dimensions': { length: 16.5, width: 8 },
  'field-tags': tags,
})

/** A tag in the way of `.fmap`, not turned. */
export const fiducial = (id: unknown, x = -4.5, y = 0, more: object = {}) => ({
  family: 'apriltag3_36h11_classic',
  id,
  size: 165.1,
  unique: 1,
  transform: [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 1.2, 0, 0, 0, 1],
  ...more,
})

/** The vendor's form. */
export const fmapFile = (fiducials: readonly unknown[] = [fiducial(3)], more: object = SIDES) => ({
  type: 'frc',
  ...more,
  fiducials,
})

const SIDES = { fieldlength: 9, fieldwidth: 5.5 }
