// Stands in for `journalctl`: a journal that gets 1,000 lines a second while it is followed, in the form in which the
// real one prints the fields that are asked for. It says all lines with a number that rises by one.
import { atRate } from '../lab/at-rate.ts'
import { journalText } from './journal-text.ts'

const RATE = 1_000

if (!process.argv.includes('--follow')) process.stdout.write('a line\n')
else await atRate({ rate: RATE, count: Number.POSITIVE_INFINITY }, (n) => process.stdout.write(journalText(n)))
