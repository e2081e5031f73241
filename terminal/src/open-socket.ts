/** The terminal's WebSocket: it sends headers, and reads why a handshake was refused. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type EdgeError, readProblem, type SocketLike } from '@edge-account/sdk';
import { WebSocket } from 'ws';

/** The answer of the service to a refused handshake. */
export async function readRefusal(answer: IncomingMessage): Promise<EdgeError> {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  );
  const body = await buffer(answer).catch(() => Buffer.alloc(0));
  return readProblem(
    new Response(body.length > 0 ? body : null, { status: answer.statusCode ?? 502, headers }),
  );
}

export function openSocket(url: string, headers: Record<string, string>): SocketLike {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const like = socket as unknown as SocketLike;
  socket.on('unexpected-response', async (request, response) => {
    const refusal = await readRefusal(response);
    like.onRefused?.(refusal);
    request.destroy();
  });
  return like;
}
