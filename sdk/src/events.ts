/** Events of the account as a stream that reconnects after the last received event. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { createBackoff, delay } from './backoff.ts';
import type { EdgeClient } from './client.ts';
import { EdgeError, readProblem } from './problem.ts';

export interface EdgeEvent {
  readonly id: string;
  /**
   * For example `device.disconnected`. `reset`: events were missed, read all state again.
   * `closed`: the service ends the connection, `data.reason` is the cause.
   */
  readonly type: string;
  /** Absent on events about the stream itself. */
  readonly timestamp?: string;
  readonly data: unknown;
}

export interface EventStreamOptions {
  /** Continues after this event. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** Called when a connection is open. */
  readonly onOpen?: () => void;
  /** Called before each wait. */
  readonly onRetry?: (error: unknown, wait_ms: number) => void;
  /** Longest wait between attempts; 60 s by default. */
  readonly waitMax_ms?: number;
}

/** The service sends a comment every 15 s: a silent connection is dead. */
const SILENCE_MAX_MS = 35_000;
const MESSAGE_BYTES_MAX = 1_000_000;

function toEvent({ id = '', event = 'message', data }: EventSourceMessage): EdgeEvent {
  const body = JSON.parse(data) as { timestamp?: string; data?: unknown };
  return {
    id,
    type: event,
    data: body.data ?? body,
    ...(body.timestamp !== undefined && { timestamp: body.timestamp }),
  };
}

/** The text of a response as it arrives. Ends when nothing arrives for `SILENCE_MAX_MS`. */
async function* readChunks(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  // Not every browser can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  let silence = setTimeout(cancel, SILENCE_MAX_MS);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(cancel, SILENCE_MAX_MS);
      yield part.value;
    }
  } finally {
    clearTimeout(silence);
    cancel();
  }
}

async function openStream(
  client: EdgeClient,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers = {
    accept: 'text/event-stream',
    prefer: 'amounts=string',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const response = await client.send(
    new Request(`${client.baseUrl}/me/events`, { headers, signal }),
  );
  if (!response.ok || !response.body) throw await readProblem(response);
  return response.body;
}

async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<EdgeEvent> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    maxBufferSize: MESSAGE_BYTES_MAX,
  });
  for await (const chunk of readChunks(body)) {
    parser.feed(chunk);
    for (const message of messages.splice(0)) yield toEvent(message);
  }
}

/** True for refusals that a retry cannot change. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof EdgeError &&
    (error.code === 'signed_out' ||
      (error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)))
  );
}

/** Events until the signal aborts. @throws EdgeError when a retry cannot help */
export async function* streamEvents(
  client: EdgeClient,
  options: EventStreamOptions = {},
): AsyncGenerator<EdgeEvent> {
  const { signal = new AbortController().signal, onOpen, onRetry, waitMax_ms } = options;
  const backoff = createBackoff(Math.random, waitMax_ms);
  let { lastEventId } = options;
  while (!signal.aborted) {
    let failure: unknown;
    try {
      const body = await openStream(client, lastEventId, signal);
      backoff.reset();
      onOpen?.();
      for await (const event of readEvents(body)) {
        if (event.id !== '') lastEventId = event.id;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      failure = error;
    }
    if (signal.aborted) return;
    const wait_ms = backoff.next(failure instanceof EdgeError ? failure.retryAfter_s : undefined);
    onRetry?.(failure, wait_ms);
    await delay(wait_ms, signal);
  }
}
