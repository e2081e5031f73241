/** The person's live events: server-sent, read with `fetch` because the token belongs in a header. */
import { leaveSession, sendAsMe } from '../session/session.ts';
import { createEventParser, type LiveEvent } from './event-parser.ts';

export type LiveState = 'connecting' | 'live' | 'lost';

export interface LiveEventHandlers {
  readonly onEvent: (event: LiveEvent) => void;
  readonly onState: (state: LiveState) => void;
}

const RETRY_FIRST_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** The service sends a comment every 15 s; a stream that is silent for longer is dead. */
const SILENCE_MAX_MS = 35_000;

/**
 * A page that nobody sees lets go of its stream: over HTTP/1.1 a browser has six connections to a service for all of its
 * tabs, and six streams would leave none for anything else. Who only looks aside for a moment keeps it.
 */
const UNSEEN_MAX_MS = 3000;

/** Ends of a stream that is taken up again. Any other says that the token serves no more, and nothing is asked for with it. */
const PASSING_ENDS: readonly unknown[] = ['token_expired', 'too_slow', 'shutdown'];

/** Why the session is over, if the event says that it is. */
function findEnd({ type, data }: LiveEvent): string | undefined {
  if (type !== 'closed') return undefined;
  const { reason } = JSON.parse(data) as { reason?: unknown };
  return PASSING_ENDS.includes(reason) ? undefined : String(reason);
}

/** Reads one connection until it ends. */
async function readStream(
  response: Response,
  parse: (chunk: string) => void,
  abort: AbortController,
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let silence = setTimeout(() => abort.abort(), SILENCE_MAX_MS);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(() => abort.abort(), SILENCE_MAX_MS);
      parse(part.value);
    }
  } finally {
    clearTimeout(silence);
  }
}

/** Follows the events until the returned function is called; resumes after the last one seen. */
export function followEvents({ onEvent, onState }: LiveEventHandlers): () => void {
  let isStopped = false;
  let lastId = '';
  let abort = new AbortController();
  let wake: (() => void) | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const untilSeen = async (): Promise<void> => {
    while (document.hidden && !isStopped) await new Promise<void>((resolve) => (wake = resolve));
  };
  const run = async (): Promise<void> => {
    let delay_ms = RETRY_FIRST_MS;
    for (await untilSeen(); !isStopped; await untilSeen()) {
      abort = new AbortController();
      try {
        const headers = {
          accept: 'text/event-stream',
          ...(lastId !== '' && { 'last-event-id': lastId }),
        };
        const response = await sendAsMe('GET', '/me/events', {
          headers,
          isStream: true,
          signal: abort.signal,
        });
        onState('live');
        delay_ms = RETRY_FIRST_MS;
        const parse = createEventParser((event) => {
          if (event.id !== '') lastId = event.id;
          const end = findEnd(event);
          if (end !== undefined) void leaveSession(end);
          else if (event.type !== 'closed') onEvent(event);
        });
        await readStream(response, parse, abort);
      } catch {
        // Whatever ended the stream: it is taken up again where it stopped.
      }
      if (isStopped) return;
      onState('lost');
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, delay_ms * (0.5 + Math.random()));
      });
      delay_ms = Math.min(delay_ms * 2, RETRY_MAX_MS);
    }
  };
  const wakeUp = (): void => wake?.();
  const giveUp = (): void => abort.abort();
  const handleVisibility = (): void => {
    clearTimeout(leaving);
    if (document.hidden) leaving = setTimeout(giveUp, UNSEEN_MAX_MS);
    else wakeUp();
  };
  window.addEventListener('online', wakeUp);
  window.addEventListener('offline', giveUp);
  document.addEventListener('visibilitychange', handleVisibility);
  void run();
  return () => {
    isStopped = true;
    window.removeEventListener('online', wakeUp);
    window.removeEventListener('offline', giveUp);
    document.removeEventListener('visibilitychange', handleVisibility);
    clearTimeout(leaving);
    abort.abort();
    wake?.();
  };
}
