import { expect, test } from 'vitest';
import { createEdgeClient } from './client.ts';
import { type EdgeEvent, streamEvents } from './events.ts';

const STREAM =
  ': hello\n\nid: 1\nevent: device.online\ndata: {"a":1}\n\n' +
  'id: 2\r\nevent: reward.posted\r\ndata: {}\r\n\r\n: ping\n\ndata: {"data":3}\n\n';

/** A service whose event stream arrives in chunks of a fixed size. */
function openClient(size: number) {
  const requests: Request[] = [];
  const send = async (request: Request): Promise<Response> => {
    requests.push(request);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = new TextEncoder().encode(STREAM);
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const client = createEdgeClient({ baseUrl: 'http://edge.test', fetch: send as typeof fetch });
  return { client, requests };
}

test('events are complete, wherever the stream is split', async () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const stop = new AbortController();
    const seen: EdgeEvent[] = [];
    const options = { signal: stop.signal, onRetry: () => stop.abort() };
    for await (const event of streamEvents(openClient(size).client, options)) seen.push(event);
    expect(seen).toEqual([
      { id: '1', type: 'device.online', data: { a: 1 } },
      { id: '2', type: 'reward.posted', data: {} },
      { id: '', type: 'message', data: 3 },
    ]);
  }
});

test('the next connection continues after the last event', async () => {
  const { client, requests } = openClient(STREAM.length);
  const stop = new AbortController();
  const options = { signal: stop.signal, waitMax_ms: 1, onOpen: () => opened++ };
  let opened = 0;
  for await (const event of streamEvents(client, options))
    if (opened === 2 && event.id === '2') stop.abort();
  expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '2']);
});

test('a wrong code is not sent again with another token', async () => {
  let sent = 0;
  const client = createEdgeClient({
    baseUrl: 'http://edge.test',
    tokens: {
      get: async () => ({ accessToken: 'a', tokenType: 'Bearer', scope: '', expiresAt_ms: 0 }),
      renew: () => Promise.reject(new Error('the token was not refused')),
    },
    fetch: (async () => {
      sent++;
      return Response.json({ status: 401, code: 'invalid_code' }, { status: 401 });
    }) as typeof fetch,
  });
  const body = { login_ticket: 't', method: 'EMAIL', validate_code: '000000' } as const;
  await expect(client.api.POST('/me/reauthenticate/2fa', { body })).rejects.toMatchObject({
    code: 'invalid_code',
  });
  expect(sent).toBe(1);
});
