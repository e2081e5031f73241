/** Lines of a file with a bound on their length, so that no file can exhaust the memory. */
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Characters of a row, at most. */
export const ROW_LENGTH_MAX = 65_536;

export interface Line {
  readonly number: number;
  /** Undefined: longer than `ROW_LENGTH_MAX`. */
  readonly text: string | undefined;
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** Reads a file line by line, without a byte order mark. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isTooLong = false;
  let number = 0;
  const toLine = (text: string): Line => {
    number++;
    const isKept = !isTooLong && text.length <= ROW_LENGTH_MAX;
    isTooLong = false;
    const line = number === 1 ? text.replace(BYTE_ORDER_MARK, '') : text;
    return { number, text: isKept ? line.replace(/\r$/, '') : undefined };
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield toLine(line);
    if (rest.length > ROW_LENGTH_MAX) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.end();
  if (rest !== '' || isTooLong) yield toLine(rest);
}
