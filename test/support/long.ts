// What is swept whole takes minutes: `npm test` plays a part of it that covers each kind of case, `npm run test:long`
// all of it.

/** Whether everything is to be played. */
export const IS_LONG = process.env.LONG_TESTS === '1'

/** How many, or which ones, of what can be swept. */
export const shortOrLong = <Part>(short: Part, long: Part): Part => (IS_LONG ? long : short)
