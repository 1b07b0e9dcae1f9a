// A robot that drives about for a while, as a perfect IMU and as a real one would feel it: turns, slopes, pushes,
// vibration, noise and a bias. The truth is known at every sample.
import type { RawImuBatch } from '../../../machines/imu/reading.ts'
import { mulberry32 } from '../mulberry32.ts'

/** How a drive is, and how bad the chip. */
export interface Drive {
  readonly rateHz: number
  readonly durationS: number
  /** Degrees in a second that the chip says at rest, x y z. */
  readonly biasDps?: readonly [number, number, number]
  /** Standard deviation of a sample. */
  readonly gyroNoiseDps?: number
  readonly accelNoise?: number
  /** Amplitudes of what motors shake. */
  readonly shakeDps?: number
  readonly shake?: number
  /** How long it stands at first. */
  readonly standS?: number
  /** 0: it stands. */
  readonly vigour?: number
  /** Milliseconds by which a sample may be early or late. */
  readonly jitterMs?: number
}

/** The truth of a sample: degrees; yaw without a jump. */
export interface Truth {
  readonly roll_deg: Float64Array
  readonly pitch_deg: Float64Array
  readonly yaw_deg: Float64Array
}

const RAD = Math.PI / 180
const G = 9.80665
const TAU = 2 * Math.PI

const wave = (t: number, amplitude: number, periodS: number, phase: number) => {
  const w = TAU / periodS
  return {
    value: amplitude * Math.sin(w * t + phase),
    rate: amplitude * w * Math.cos(w * t + phase),
  }
}

/** Angles (rad), their rates, and the acceleration forward and to the left (m/s²), t seconds after it drives off. */
const motionAt = (t: number, vigour: number) => {
  const ramp = Math.min(1, Math.max(0, t / 2)) * vigour
  const yaw = [wave(t, 70 * RAD, 7.3, 0), wave(t, 25 * RAD, 2.1, 0.4), wave(t, 180 * RAD, 41, 1)]
  const roll = [wave(t, 4 * RAD, 9.7, 0.3), wave(t, 1.5 * RAD, 0.9, 0)]
  const pitch = [wave(t, 5 * RAD, 12.1, 2), wave(t, 2 * RAD, 1.3, 1)]
  const sum = (waves: readonly { value: number; rate: number }[]) => ({
    value: ramp * waves.reduce((all, { value }) => all + value, 0),
    rate: ramp * waves.reduce((all, { rate }) => all + rate, 0),
  })
  const speed = [wave(t, 1.8, 4.7, 0), wave(t, 0.8, 1.9, 1.1)]
  const forward = sum(speed)
  const turned = sum(yaw)
  return { roll: sum(roll), pitch: sum(pitch), yaw: turned, ax: forward.rate, ay: forward.value * turned.rate }
}

/** All samples, and the truth of each. The rates are those of the angles but within the first two seconds. */
export const driveOf = (drive: Drive): { readonly samples: RawImuBatch; readonly truth: Truth } => {
  const { rateHz, durationS, biasDps = [0, 0, 0], gyroNoiseDps = 0, accelNoise = 0, shakeDps = 0, shake = 0 } = drive
  const { standS = 2, vigour = 1, jitterMs = 0 } = drive
  const count = Math.floor(rateHz * durationS)
  const chance = mulberry32(7)
  const noise = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(TAU * chance())
  const samples = {
    count,
    at_us: new Float64Array(count),
    gyro_rad_s: new Float64Array(3 * count),
    accel_m_s2: new Float64Array(3 * count),
    temperature_c: null,
  }
  const truth = {
    roll_deg: new Float64Array(count),
    pitch_deg: new Float64Array(count),
    yaw_deg: new Float64Array(count),
  }
  const turnAt = (t: number) => motionAt(t - standS, t < standS ? 0 : vigour)
  for (let k = 0; k < count; k++) {
    const t = k / rateHz + (jitterMs / 1000) * (chance() - 0.5)
    const { roll, pitch, yaw, ax, ay } = turnAt(t)
    const H = 1e-5
    const rate = (of: 'roll' | 'pitch' | 'yaw') => (turnAt(t + H)[of].value - turnAt(t - H)[of].value) / (2 * H)
    const [dr, dp, dy] = [rate('roll'), rate('pitch'), rate('yaw')]
    const [sr, cr, sp, cp] = [Math.sin(roll.value), Math.cos(roll.value), Math.sin(pitch.value), Math.cos(pitch.value)]
    const gyro = [dr - dy * sp, dp * cr + dy * cp * sr, -dp * sr + dy * cp * cr]
    // forces of the world without yaw, turned by the pitch and the roll of the body
    const [fx, fz] = [cp * ax - sp * G, sp * ax + cp * G]
    const accel = [fx, cr * ay + sr * fz, -sr * ay + cr * fz]
    samples.at_us[k] = 1e9 + 1e6 * t
    for (let axis = 0; axis < 3; axis++) {
      const shaken = Math.sin(TAU * (47 + 31 * axis) * t + axis)
      samples.gyro_rad_s[3 * k + axis] =
        (gyro[axis] as number) + RAD * ((biasDps[axis] as number) + gyroNoiseDps * noise() + shakeDps * shaken)
      samples.accel_m_s2[3 * k + axis] = (accel[axis] as number) + accelNoise * noise() + shake * shaken
    }
    truth.roll_deg[k] = roll.value / RAD
    truth.pitch_deg[k] = pitch.value / RAD
    truth.yaw_deg[k] = yaw.value / RAD
  }
  return { samples, truth }
}
