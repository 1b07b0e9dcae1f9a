// What is wrong with a device that is short of power or too warm, for people.
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import type { SlowedBy } from './metrics.ts'

const WEAK: Fault = {
  code: 'system.under_voltage',
  detail: oneLine`
    The supply of the device is too weak: it gives fewer volts than the device needs, which slows the processor down
    and may switch the device or its cameras off. Use a regulator of 5 V that can give 5 A, and a short thick cable;
    unplug what it need not feed.
  `,
}

const HOT: Fault = {
  code: 'system.too_hot',
  detail: oneLine`
    The processor is so warm that it slows itself down, and pictures are late. Give the device air (a fan, a heat sink,
    another place), or let it do less: fewer pictures a second, smaller ones, fewer streams.
  `,
}

const BY_HEAT: readonly SlowedBy[] = ['throttled', 'temperature-limit']

/** What a team must do something about, the worst first. reasons: those that are present. */
export const faultsOfConditions = (reasons: readonly SlowedBy[]): readonly Fault[] => [
  ...(reasons.includes('under-voltage') ? [WEAK] : []),
  ...(reasons.some((each) => BY_HEAT.includes(each)) ? [HOT] : []),
]
