// What a program prints, line by line. Of a line that comes to no end its beginning is kept, and no more: another
// program may have any number of bytes in the journal as one line.
import { StringDecoder } from 'node:string_decoder'

export class Lines {
  readonly #maxLength: number
  readonly #told: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #line = ''

  /** maxLength: of a line, in characters; the rest of it is thrown away. */
  constructor(maxLength: number, told: (line: string) => void) {
    this.#maxLength = maxLength
    this.#told = told
  }

  take(bytes: Buffer): void {
    const [first = '', ...others] = this.#decoder.write(bytes).split('\n')
    this.#add(first)
    for (const next of others) {
      this.#tell()
      this.#add(next)
    }
  }

  /** Nothing comes any more: what was begun is the last line. */
  end(): void {
    this.#add(this.#decoder.end())
    if (this.#line !== '') this.#tell()
  }

  #add(text: string): void {
    this.#line += text.slice(0, this.#maxLength - this.#line.length)
  }

  #tell(): void {
    const line = this.#line
    this.#line = ''
    this.#told(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
