/**
 * Cuts a CSV file (RFC 4180) into batches of whole records, without those that are too long. The
 * limit of the parser itself would drop what follows in the same chunk without a word.
 */
import { createReadStream } from 'node:fs';
import { FileError } from './file-error.ts';
import { ROW_LENGTH_MAX } from './read-lines.ts';

const [LF, CR, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];
const UTF8_MARK = '\ufeff';
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];
const MARK_BYTES = 3;

/** Records that follow each other, or one that is not read. */
export interface Batch {
  /** Line of the file in which it begins, from 1. */
  readonly line: number;
  readonly content: Buffer | 'too_long' | 'unclosed_quote';
  /** What may end its records. */
  readonly lineEnds: readonly string[];
}

/** How far a record was looked at. */
interface Place {
  at: number;
  isQuoted: boolean;
  isFieldStart: boolean;
}

/** Moves after the next quote. @returns false when bytes that come decide what it means */
function passQuote(place: Place, bytes: Buffer, lineEnd: number, isLast: boolean): boolean {
  const quote = bytes.indexOf(QUOTE, place.at);
  place.at = quote === -1 ? bytes.length : quote;
  const [next, after] = [bytes[quote + 1], bytes[quote + 2]];
  const isCut = next === undefined || (next === CR && after === undefined);
  if (quote === -1 || (isCut && !isLast)) return false;
  const isLineEnd = next === lineEnd || (next === CR && after === LF);
  place.isQuoted = next !== undefined && next !== COMMA && !isLineEnd;
  place.at += next === QUOTE ? 2 : 1;
  return true;
}

/** Moves to the end of the record; undefined: it is not in these bytes. */
function findEnd(place: Place, bytes: Buffer, lineEnd: number, isLast: boolean) {
  while (place.at < bytes.length) {
    if (place.isQuoted) {
      if (!passQuote(place, bytes, lineEnd, isLast)) return undefined;
      continue;
    }
    const byte = bytes[place.at++];
    if (byte === lineEnd) return place.at;
    place.isQuoted = byte === QUOTE && place.isFieldStart;
    place.isFieldStart = byte === COMMA;
  }
  return undefined;
}

const startAt = (at: number): Place => ({ at, isQuoted: false, isFieldStart: true });

/** Records end as the header does. */
function findLineEnd(bytes: Buffer): number {
  const [first, afterLf] = [CR, LF].map((byte) => findEnd(startAt(0), bytes, byte, true));
  if (first === undefined) return LF;
  return afterLf !== undefined && afterLf <= first + 1 ? LF : CR;
}

function countOf(wanted: number, bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) count++;
  return count;
}

class RecordCutter {
  readonly #lineEnd: number;
  readonly #lineEnds: readonly string[];
  /** The record that is not complete, or of a long one what was not looked at. */
  #pending = Buffer.alloc(0);
  #place = startAt(0);
  #isTooLong = false;
  /** Where the next batch begins, and the lines of the pending record that are gone. */
  #line = 1;
  #goneLines = 0;

  constructor(first: Buffer) {
    this.#lineEnd = findLineEnd(first);
    this.#lineEnds = this.#lineEnd === CR ? ['\r'] : ['\r\n', '\n'];
  }

  #toBatch(content: Batch['content'], bytes: Buffer): Batch {
    const line = this.#line;
    this.#line += this.#goneLines + countOf(this.#lineEnd, bytes);
    this.#goneLines = 0;
    return { line, content, lineEnds: this.#lineEnds };
  }

  *add(chunk: Buffer): Generator<Batch> {
    const bytes = Buffer.concat([this.#pending, chunk]);
    let [from, record] = [0, 0];
    for (;;) {
      const end = findEnd(this.#place, bytes, this.#lineEnd, false);
      if (end === undefined) break;
      if (this.#isTooLong || end - record > ROW_LENGTH_MAX) {
        if (record > from) yield this.#take(bytes.subarray(from, record));
        yield this.#toBatch('too_long', bytes.subarray(record, end));
        this.#isTooLong = false;
        from = end;
      }
      record = end;
      this.#place = startAt(end);
    }
    if (record > from) yield this.#take(bytes.subarray(from, record));
    this.#keep(bytes.subarray(record), this.#place.at - record);
  }

  #take(bytes: Buffer): Batch {
    return this.#toBatch(bytes, bytes);
  }

  #keep(rest: Buffer, seen: number): void {
    this.#isTooLong ||= rest.length > ROW_LENGTH_MAX;
    const kept = this.#isTooLong ? seen : 0;
    this.#goneLines += countOf(this.#lineEnd, rest.subarray(0, kept));
    this.#pending = Buffer.from(rest.subarray(kept));
    this.#place.at = seen - kept;
  }

  *end(): Generator<Batch> {
    const [rest, place] = [this.#pending, this.#place];
    findEnd(place, rest, this.#lineEnd, true);
    if (place.isQuoted) yield this.#toBatch('unclosed_quote', rest);
    else if (this.#isTooLong) yield this.#toBatch('too_long', rest);
    else if (rest.length > 0) yield this.#take(rest);
  }
}

/** @throws FileError when the file is not UTF-8 */
function withoutMark(path: string, first: Buffer): Buffer {
  if (UTF16_MARKS.some(([one, two]) => first[0] === one && first[1] === two))
    throw new FileError(`${path} is UTF-16; it must be UTF-8`);
  const hasMark = first.subarray(0, MARK_BYTES).toString() === UTF8_MARK;
  return hasMark ? first.subarray(MARK_BYTES) : first;
}

/** @throws FileError when the file is not UTF-8 */
export async function* cutRecords(path: string): AsyncGenerator<Batch> {
  let cutter: RecordCutter | undefined;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = cutter ? chunk : withoutMark(path, chunk);
    cutter ??= new RecordCutter(bytes);
    yield* cutter.add(bytes);
  }
  if (cutter) yield* cutter.end();
}
