// Cameras to plug in: what teams have, as far as it matters to a program, and one that has every format.

/** A size and its rates. */
export interface ModelSize {
  readonly width: number
  readonly height: number
  readonly fps: readonly number[]
}

/** A format of an emulated camera. */
export interface ModelFormat {
  /** V4L2's letters. */
  readonly fourcc: string
  readonly sizes?: readonly ModelSize[]
  /** Instead of sizes: any width and height in steps, any rate in between. */
  readonly steps?: {
    readonly width: readonly [least: number, most: number, step: number]
    readonly height: readonly [least: number, most: number, step: number]
    readonly fps: readonly [least: number, most: number]
  }
}

/** A control in the camera's own units. */
export interface ModelControl {
  readonly id: number
  readonly title: string
  /** V4L2's numbers. */
  readonly type: number
  /** V4L2's numbers. */
  readonly flags?: number
  readonly min: number
  readonly max: number
  readonly step?: number
  readonly initial: number
  readonly menu?: Readonly<Record<number, string>>
}

/** A model of cameras. */
export interface CameraModel {
  /** Four hexadecimal digits. */
  readonly vendor: string
  /** Four hexadecimal digits. */
  readonly product: string
  readonly manufacturer: string
  readonly name: string
  readonly driver: string
  readonly speedMbit: number
  readonly formats: readonly ModelFormat[]
  readonly controls: readonly ModelControl[]
  /** Of one whose picture can be cut out on the sensor. */
  readonly sensor?: { readonly width: number; readonly height: number }
}

/** V4L2's numbers of the controls that tests speak of. */
export const CONTROL = {
  brightness: 0x00980900,
  contrast: 0x00980901,
  whiteBalanceAuto: 0x0098090c,
  gain: 0x00980913,
  powerLineFrequency: 0x00980918,
  exposureAuto: 0x009a0901,
  exposureTime: 0x009a0902,
} as const

const INTEGER = 1
const BOOLEAN = 2
const MENU = 3
const MANUAL = 1
const APERTURE_PRIORITY = 3

/**
 * As a UVC camera comes from the factory: its exposure automatic. In the order of their numbers, as drivers list them.
 */
const uvcControls = (exposure: { readonly min: number; readonly max: number }): readonly ModelControl[] => [
  { id: CONTROL.brightness, title: 'Brightness', type: INTEGER, min: -64, max: 64, initial: 0 },
  { id: CONTROL.contrast, title: 'Contrast', type: INTEGER, min: 0, max: 100, step: 5, initial: 30 },
  { id: CONTROL.whiteBalanceAuto, title: 'White Balance, Automatic', type: BOOLEAN, min: 0, max: 1, initial: 1 },
  { id: CONTROL.gain, title: 'Gain', type: INTEGER, min: 0, max: 100, initial: 10 },
  {
    id: CONTROL.powerLineFrequency,
    title: 'Power Line Frequency',
    type: MENU,
    min: 0,
    max: 2,
    initial: 1,
    menu: { 0: 'Disabled', 1: '50 Hz', 2: '60 Hz' },
  },
  {
    id: CONTROL.exposureAuto,
    title: 'Auto Exposure',
    type: MENU,
    min: 0,
    max: 3,
    initial: APERTURE_PRIORITY,
    menu: { [MANUAL]: 'Manual Mode', [APERTURE_PRIORITY]: 'Aperture Priority Mode' },
  },
  {
    id: CONTROL.exposureTime,
    title: 'Exposure Time, Absolute',
    type: INTEGER,
    ...exposure,
    initial: Math.round(exposure.max / 10),
  },
]

const size = (width: number, height: number, ...fps: number[]): ModelSize => ({ width, height, fps })

/**
 * A board with a global shutter, as most teams use: MJPEG, and YUYV as far as USB 2 has room. Its exposure is not what
 * it says.
 */
const globalShutter: CameraModel = {
  vendor: '0c45',
  product: '6366',
  manufacturer: 'Arducam Technology Co., Ltd.',
  name: 'Arducam OV9281 USB Camera',
  driver: 'uvcvideo',
  speedMbit: 480,
  formats: [
    {
      fourcc: 'MJPG',
      sizes: [size(1280, 800, 120, 60, 30), size(1280, 720, 120, 60, 30), size(640, 480, 120, 60, 30)],
    },
    { fourcc: 'YUYV', sizes: [size(1280, 800, 10), size(640, 480, 30, 15)] },
  ],
  controls: uvcControls({ min: 1, max: 5000 }),
}

/** A web camera as it lies in every drawer. It has a format that we cannot read. */
const webCamera: CameraModel = {
  vendor: '1bcf',
  product: '2281',
  manufacturer: 'SPCA2281 Web Camera',
  name: 'HD Web Camera',
  driver: 'uvcvideo',
  speedMbit: 480,
  formats: [
    { fourcc: 'MJPG', sizes: [size(1280, 720, 30), size(640, 480, 30, 15)] },
    { fourcc: 'H264', sizes: [size(1280, 720, 30)] },
    { fourcc: 'YUYV', sizes: [size(640, 480, 30, 15), size(320, 240, 30)] },
  ],
  controls: uvcControls({ min: 3, max: 2047 }),
}

const raw = size(640, 480, 30, 15)

/**
 * Of no maker: every format that we read, sizes in steps, and a sensor that can be cut. Its exposure is what it says.
 */
const everyFormat: CameraModel = {
  vendor: '1d6b',
  product: '0102',
  manufacturer: 'Vedette',
  name: 'Every Format',
  driver: 'uvcvideo',
  speedMbit: 5000,
  formats: [
    { fourcc: 'MJPG', sizes: [raw] },
    { fourcc: 'YUYV', sizes: [raw] },
    { fourcc: 'UYVY', sizes: [raw] },
    { fourcc: 'NV12', sizes: [raw] },
    { fourcc: 'Y10', sizes: [raw] },
    { fourcc: 'GREY', steps: { width: [160, 1600, 16], height: [120, 1200, 8], fps: [1, 60] } },
  ],
  controls: uvcControls({ min: 1, max: 10_000 }),
  sensor: { width: 1600, height: 1200 },
}

/** Models that tests plug in. */
export const cameraModels = { globalShutter, webCamera, everyFormat } as const

/** The lines that the emulation reads; see shim/description.cc. caps: what the node can do. */
export const descriptionOf = (model: CameraModel, busInfo: string, caps: number): string => {
  const lines = [`driver ${model.driver}`, `card ${model.name}`, `bus_info ${busInfo}`, `caps ${caps}`]
  if (model.sensor) lines.push(`sensor ${model.sensor.width} ${model.sensor.height}`)
  for (const { fourcc, sizes = [], steps } of model.formats) {
    lines.push(`format ${fourcc}`)
    for (const { width, height, fps } of sizes) lines.push(`size ${width} ${height} ${fps.map(inMilli).join(' ')}`)
    if (steps) lines.push(`steps ${[...steps.width, ...steps.height, ...steps.fps.map(inMilli)].join(' ')}`)
  }
  for (const { id, type, flags = 0, min, max, step = 1, initial, title, menu = {} } of model.controls) {
    lines.push(`control ${[id, type, flags, min, max, step, initial].join(' ')} ${title}`)
    for (const [value, label] of Object.entries(menu)) lines.push(`menu ${value} ${label}`)
  }
  return `${lines.join('\n')}\n`
}

const inMilli = (perSecond: number): number => Math.round(1000 * perSecond)
