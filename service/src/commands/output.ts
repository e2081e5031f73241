/** Printing what may be long, to a reader who may stop reading. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What a shell shows of a program that a closed pipe has ended (128 + SIGPIPE). */
const CLOSED_PIPE_EXIT = 141;

/**
 * Prints pieces as fast as they are read. A reader who has had enough (`| head`) ends it quietly.
 */
export async function print(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
    process.exitCode = CLOSED_PIPE_EXIT;
  }
}
