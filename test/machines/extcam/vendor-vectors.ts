// What the vendor published of three tags: poses are six numbers, metres and degrees.
export type Six = readonly [number, number, number, number, number, number]

/** The vendor's own output, captured on two mountings and rounded to 5 digits. */
export const vectors: readonly {
  readonly name: string
  readonly t6c_rs: Six
  readonly t6t_cs: Six
  readonly t6c_ts: Six
  readonly t6t_rs: Six
  readonly t6r_ts: Six
  /** tx, ty from the principal point; then from the crosshair, which stood elsewhere. */
  readonly nocross: readonly [number, number]
  readonly cross: readonly [number, number]
}[] = [
  {
    name: 'mount A, tag 7',
    t6c_rs: [-0.36, 0, 0.4, 0, 18.75, -180],
    t6t_cs: [0.01279, 0.35869, 0.90139, -18.78185, 1.60535, -1.62995],
    t6c_ts: [0.02267, -0.04967, -0.96868, 18.74069, -2.04421, 1.02707],
    t6t_rs: [-0.01279, -0.35009, -1.32885, 179.97264, -2.0442, -178.97261],
    t6r_ts: [0.02835, 0.35044, -1.32852, -179.99071, 2.04436, -178.97293],
    nocross: [0.8128, -21.69898],
    cross: [0.33742, -23.00759],
  },
  {
    name: 'mount B, tag 9',
    t6c_rs: [0.079, -0.295, 0.2617, 0, 11.9, -90],
    t6t_cs: [-0.36718, -0.62261, 1.27043, -11.69175, -6.6073, 0.27732],
    t6c_ts: [0.22155, 0.87232, -1.15171, 11.73683, 6.52611, 1.07141],
    t6t_rs: [-1.40974, -1.1329, -0.28818, 170.71686, -83.38698, -170.49261],
    t6r_ts: [0.10459, 1.13104, -1.43656, -178.57403, 83.47194, -177.49332],
    nocross: [-16.12044, 26.10865],
    cross: [-16.59582, 24.80003],
  },
  {
    name: 'mount B, tag 10',
    t6c_rs: [0.079, -0.295, 0.2617, 0, 11.9, -90],
    t6t_cs: [-0.0047, -0.61355, 1.2843, -11.7719, -4.25534, 0.71733],
    t6c_ts: [-0.08295, 0.86202, -1.12957, 11.75149, 4.3121, 0.16554],
    t6t_rs: [-1.42519, -1.12689, 0.0743, 177.80567, -85.68481, -177.65093],
    t6r_ts: [-0.18471, 1.12266, -1.41847, -178.03126, 85.68543, -177.86013],
    nocross: [-0.20981, 25.53514],
    cross: [-0.68519, 24.22653],
  },
]
