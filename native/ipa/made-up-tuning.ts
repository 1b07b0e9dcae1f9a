// A tuning file as a made-up device has it, in the form of those of a Raspberry Pi. Its figures are nobody's.

/** The text. */
export const MADE_UP_TUNING = `{
    "version": 2.0,
    "target": "bcm2835",
    "algorithms": [
        {
            "rpi.black_level":
            {
                "black_level": 4096
            }
        },
        {
            "rpi.awb":
            {
                "ct_curve":
                [
                    2800.0, 0.98, 0.34,
                    4000.0, 0.71, 0.52,
                    6500.0, 0.52, 0.71
                ]
            }
        },
        {
            "rpi.contrast":
            {
                "ce_enable": 0,
                "gamma_curve":
                [
                    0, 0,
                    4096, 17000,
                    16384, 36000,
                    32768, 49000,
                    65535, 65535
                ]
            }
        },
        {
            "rpi.ccm":
            {
                "ccms": [
                    {
                        "ct": 2850,
                        "ccm":
                        [
                            1.95, -0.55, -0.4,
                            -0.45, 1.8, -0.35,
                            -0.05, -1.1, 2.15
                        ]
                    },
                    {
                        "ct": 5600,
                        "ccm":
                        [
                            1.85, -0.6, -0.25,
                            -0.3, 1.65, -0.35,
                            -0.02, -0.58, 1.6
                        ]
                    }
                ]
            }
        },
        {
            "rpi.sharpen": { }
        }
    ]
}
`
