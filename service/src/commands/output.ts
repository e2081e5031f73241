/** Printing what may be long, to a reader who may stop reading. */
import { once } from 'node:events';

/** What a shell shows of a program that a closed pipe has ended (128 + SIGPIPE). */
const CLOSED_PIPE_EXIT = 141;

/** `pipeline` leaves its listeners on a stream that it does not end. */
async function writeAll(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure = error;
  };
  stdout.on('error', fail);
  try {
    for await (const piece of pieces) {
      if (failure) throw failure;
      if (!stdout.write(piece)) await once(stdout, 'drain');
    }
    await new Promise<void>((resolve, reject) => {
      stdout.write('', (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    stdout.off('error', fail);
  }
}

/**
 * Prints pieces as fast as they are read. A reader who has had enough (`| head`) ends it quietly.
 */
export async function print(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    await writeAll(pieces);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
    process.exitCode = CLOSED_PIPE_EXIT;
  }
}
