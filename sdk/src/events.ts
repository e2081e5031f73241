/** The account's events as they happen. The stream comes back by itself, right after the last event received. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { createBackoff, delay } from './backoff.ts';
import type { EdgeClient } from './client.ts';
import { EdgeError, readProblem } from './problem.ts';

export interface EdgeEvent {
  readonly id: string;
  /** For example `device.disconnected`; `reset`: events were missed, read everything anew. */
  readonly type: string;
  /** Absent on what is about the stream itself. */
  readonly timestamp?: string;
  readonly data: unknown;
}

export interface EventStreamOptions {
  /** Goes on after this event. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** Called before each wait. */
  readonly onRetry?: (error: unknown, wait_ms: number) => void;
}

function toEvent({ id = '', event = 'message', data }: EventSourceMessage): EdgeEvent {
  const body = JSON.parse(data) as { timestamp?: string; data?: unknown };
  return {
    id,
    type: event,
    data: body.data ?? body,
    ...(body.timestamp !== undefined && { timestamp: body.timestamp }),
  };
}

async function* readStream(
  client: EdgeClient,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<EdgeEvent> {
  const headers: Record<string, string> = {
    accept: 'text/event-stream',
    prefer: 'amounts=string',
    ...(await client.authorize('GET', `${client.baseUrl}/me/events`)),
  };
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
  const response = await fetch(`${client.baseUrl}/me/events`, { headers, signal });
  if (!response.ok || !response.body) throw await readProblem(response);
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    maxBufferSize: 1_000_000,
  });
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    parser.feed(chunk);
    for (const message of messages.splice(0)) yield toEvent(message);
  }
}

/** True for refusals that another try cannot change. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof EdgeError &&
    (error.code === 'signed_out' ||
      (error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)))
  );
}

/** Events until the signal aborts. @throws EdgeError when the service refuses for good */
export async function* streamEvents(
  client: EdgeClient,
  options: EventStreamOptions = {},
): AsyncGenerator<EdgeEvent> {
  const { signal = new AbortController().signal, onRetry } = options;
  const backoff = createBackoff();
  let { lastEventId } = options;
  while (!signal.aborted) {
    let failure: unknown;
    try {
      for await (const event of readStream(client, lastEventId, signal)) {
        backoff.reset();
        if (event.id !== '') lastEventId = event.id;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      failure = error;
      if (error instanceof EdgeError && error.status === 401) await client.renewToken();
    }
    const wait_ms = backoff.next(failure instanceof EdgeError ? failure.retryAfter_s : undefined);
    onRetry?.(failure, wait_ms);
    await delay(wait_ms, signal);
  }
}
