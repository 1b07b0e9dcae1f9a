// Tuning files in the form of those that libcamera has, made up for tests.
import { MADE_UP_TUNING } from '../../../native/ipa/made-up-tuning.ts'

/** One with two matrices. */
export const TUNING = MADE_UP_TUNING

/** With a comma before a closing brace, which JSON.parse refuses. */
export const WITH_COMMA = TUNING.replace('"black_level": 4096', '"black_level": 4096,')

/** Of a sensor that sees no colours. */
export const MONO = `{
    "version": 2.0,
    "target": "bcm2835",
    "algorithms": [
        {
            "rpi.black_level":
            {
                "black_level": 4096
            }
        }
    ]
}
`

/** As they were before there was a list of algorithms. */
export const FIRST_VERSION =
  '{"version": 1.0, "rpi.ccm": {"ccms": [{"ct": 3000, "ccm": [2, -1, 0, 0, 1, 0, 0, -1, 2]}], "saturation": []}}'

/** As other makers of chips have them. */
export const YAML = `%YAML 1.1
---
version: 1
algorithms:
  - Ccm:
      ccms:
        - ct: 2700
          ccm: [ 1.5, -0.4, -0.1, -0.4, 1.6, -0.2, 0.0, -0.7, 1.7 ]
...
`
