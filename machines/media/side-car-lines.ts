// What may lie beside an item, checked line by line while it arrives: labels as YOLO writes them or as JSON, the names
// of a model's classes, measurements of an IMU as JSON lines.
import type { Fault } from '../errors/fault.ts'
import { MAX_CLASS_NAME_LENGTH, MAX_CLASSES } from '../models/model.ts'

/** Takes text in pieces of any size. What is wrong is answered as soon as it is seen. */
export interface LineChecker {
  readonly take: (text: string) => Fault | undefined
  /** The last of it. */
  readonly end: (text: string) => Fault | undefined
  /** Of what was taken. */
  readonly mediaType: () => string
}

const MAX_LINE_LENGTH = 4_096 // a polygon of YOLO with two hundred corners
const MAX_LABEL_LINES = 10_000

const invalid = (what: string): Fault => ({ code: 'media.invalid', detail: `this cannot be stored: ${what}` })

/** Cuts pieces into lines. line: checks one; number: from 1. */
const byLine = (line: (text: string, number: number) => Fault | undefined) => {
  let rest = ''
  let number = 0
  const check = (text: string): Fault | undefined => {
    number += 1
    if (text.length > MAX_LINE_LENGTH) return invalid(`line ${number} is longer than ${MAX_LINE_LENGTH} characters`)
    return text.trim() === '' ? undefined : line(text, number)
  }
  const take = (text: string): Fault | undefined => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() as string
    for (const each of lines) {
      const fault = check(each)
      if (fault) return fault
    }
    return rest.length > MAX_LINE_LENGTH ? check(rest) : undefined
  }
  return { take, end: (text: string) => take(text) ?? check(rest), lines: () => number }
}

/**
 * A label: `class cx cy w h` on each line (parts of the width and height), or a class and the corners of a polygon; or
 * one JSON document.
 */
export const labelChecker = (): LineChecker => {
  let json: string | undefined
  let isEmpty = true
  const lines = byLine((text, number) => {
    if (number > MAX_LABEL_LINES) return invalid(`it has more than ${MAX_LABEL_LINES} lines`)
    return isYolo(text) ? undefined : invalid(`line ${number} is no label: ${NEEDED}, or the whole must be JSON`)
  })
  const take = (text: string): Fault | undefined => {
    if (isEmpty && /\S/.test(text)) {
      isEmpty = false
      if (/^\s*[[{]/.test(text)) json = ''
    }
    if (json === undefined) return lines.take(text)
    json += text
    return undefined
  }
  return {
    take,
    end: (text) => {
      const fault = take(text)
      if (fault || isEmpty) return fault // a picture with nothing in it has an empty label
      return json === undefined ? lines.end('') : jsonFlaw(json)
    },
    mediaType: () => (json === undefined ? 'text/plain; charset=utf-8' : 'application/json'),
  }
}

/** The names of a model's classes, one on each line, the first of them that of class 0. */
export const classNamesChecker = (): LineChecker => {
  let count = 0
  const lines = byLine((text, number) => {
    count += 1
    if (number > MAX_CLASSES) return invalid(`it has more than ${MAX_CLASSES} lines`)
    if (number > count) return invalid(`line ${count} is empty: each line has the name of a class`)
    return text.trim().length > MAX_CLASS_NAME_LENGTH
      ? invalid(`the name on line ${number} has more than ${MAX_CLASS_NAME_LENGTH} characters`)
      : undefined
  })
  return {
    take: lines.take,
    end: (text) => lines.end(text) ?? (count > 0 ? undefined : invalid('there is no name in it')),
    mediaType: () => 'text/plain; charset=utf-8',
  }
}

const NEEDED = 'it needs a class and four numbers from 0 to 1 (centre, width, height), or the corners of a polygon'

const isYolo = (line: string): boolean => {
  const [label = '', ...parts] = line.trim().split(/\s+/)
  const isPolygon = parts.length >= 6 && parts.length % 2 === 0
  return /^\d{1,6}$/.test(label) && (parts.length === 4 || isPolygon) && parts.every(isShare)
}

const isShare = (text: string): boolean => /^[\d.]/.test(text) && Number(text) >= 0 && Number(text) <= 1

const jsonFlaw = (text: string): Fault | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return invalid(`it is not well-formed JSON: ${(error as Error).message}`)
  }
}

const AXES = ['gyro_rad_s', 'accel_m_s2'] as const

/**
 * Measurements of an IMU, one on each line: `{"pts_us": 0, "gyro_rad_s": [x, y, z], "accel_m_s2": [x, y, z]}`, in order
 * of time.
 */
export const imuChecker = (): LineChecker => {
  let lastUs = Number.NEGATIVE_INFINITY
  let count = 0
  const lines = byLine((text, number) => {
    const sample = readSample(text)
    if (!sample)
      return invalid(
        `line ${number} is no measurement: it needs pts_us, and gyro_rad_s or accel_m_s2 with three numbers each`,
      )
    if (sample.pts_us < lastUs) return invalid(`line ${number} is earlier than the one before it (pts_us)`)
    lastUs = sample.pts_us
    count += 1
    return undefined
  })
  return {
    take: lines.take,
    end: (text) => lines.end(text) ?? (count > 0 ? undefined : invalid('there is no measurement in it')),
    mediaType: () => 'application/x-ndjson',
  }
}

const readSample = (text: string): { readonly pts_us: number } | undefined => {
  try {
    const sample = JSON.parse(text) as Readonly<Record<string, unknown>> | null
    if (typeof sample?.pts_us !== 'number') return undefined
    const given = AXES.filter((axis) => sample[axis] !== undefined)
    return given.length > 0 && given.every((axis) => isVector(sample[axis])) ? { pts_us: sample.pts_us } : undefined
  } catch {
    return undefined
  }
}

const isVector = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === 'number')
