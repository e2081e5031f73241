/** Puts live connections on a server from two client processes. */
import { type ChildServer, startChildServer } from './child-server.ts';
import type { SocketClient } from './socket-client.ts';

const CLIENT = new URL('./socket-client.ts', import.meta.url);
const PROCESSES = 2;

export interface OpenSockets {
  readonly opened: number;
  readonly failed: number;
  /** Answers a second while every socket beats. */
  beat(seconds: number): Promise<number>;
  /** Sockets that are still open. */
  close(): Promise<void>;
}

export async function openSockets(
  url: string,
  tokensFile: string,
  count: number,
): Promise<OpenSockets> {
  const share = Math.ceil(count / PROCESSES);
  const clients: ChildServer<SocketClient>[] = await Promise.all(
    Array.from({ length: PROCESSES }, (_, i) =>
      startChildServer<SocketClient>(CLIENT, [
        url,
        tokensFile,
        String(i * share),
        String(Math.min(share, count - i * share)),
      ]),
    ),
  );
  return {
    opened: clients.reduce((sum, client) => sum + client.ready.opened, 0),
    failed: clients.reduce((sum, client) => sum + client.ready.failed, 0),
    async beat(seconds) {
      const answers = await Promise.all(
        clients.map(
          async (client) =>
            (await (await fetch(`${client.ready.controlUrl}/?seconds=${seconds}`)).json()) as {
              perSecond: number;
            },
        ),
      );
      return answers.reduce((sum, answer) => sum + answer.perSecond, 0);
    },
    async close() {
      await Promise.all(clients.map((client) => client.stop()));
    },
  };
}
