/** A small reader of server-sent events for tests, as a client would write it with `fetch`. */
export interface ReceivedEvent {
  readonly id: number | undefined;
  readonly event: string;
  readonly data: unknown;
}

export interface EventReader {
  /** The next event; undefined at the end of the stream. */
  next(): Promise<ReceivedEvent | undefined>;
  /** Closes the connection. */
  cut(): void;
}

function parse(block: string): ReceivedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2));
  }
  const event = fields.get('event');
  if (event === undefined) return undefined;
  const id = fields.get('id');
  return {
    id: id === undefined ? undefined : Number(id),
    event,
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}

/** Opens a stream; resolves once its head has arrived. */
export async function readEvents(
  url: string,
  headers: Record<string, string>,
  lastEventId?: number,
): Promise<EventReader> {
  const abort = new AbortController();
  const resume: Record<string, string> =
    lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
  const response = await fetch(url, { headers: { ...headers, ...resume }, signal: abort.signal });
  if (!response.ok || !response.body)
    throw new Error(`${response.status} ${await response.text()}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const received = parse(text.slice(0, end));
          text = text.slice(end + 2);
          if (received) return received;
          continue;
        }
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (done) return undefined;
        text += value ?? '';
      }
    },
    cut: () => abort.abort(),
  };
}
