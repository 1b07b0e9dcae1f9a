/** What is said of an engine that sends nothing: that it has had no result for 45 ms, or that it has ended and will say no more. */
export type Quiet = 'no-result' | 'ended'
