/** The terminal's WebSocket: it can send headers, and knows why a service refused it. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SocketLike } from '@edge-account/sdk';
import { WebSocket } from 'ws';

/** What the answer says, in words; nothing when it says nothing. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  try {
    const { detail, title } = JSON.parse(await text(response)) as { detail?: unknown; title?: unknown };
    return String(detail ?? title ?? '').replace(/\.$/, '');
  } catch {
    return '';
  }
}

export function openSocket(url: string, headers: Record<string, string>): SocketLike {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const like = socket as unknown as SocketLike;
  socket.on('unexpected-response', async (request, response) => {
    const reason = await readRefusal(response);
    like.onclose?.({ code: 1006, reason });
    request.destroy();
  });
  return like;
}
