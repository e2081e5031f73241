/**
 * A line to a server that can fall silent, as when a host stops or a route is dropped: connections
 * stay open, and nothing arrives any more.
 */
import { connect, createServer, type Socket } from 'node:net';

interface Target {
  readonly host: string;
  readonly port: number;
}

export interface SilentLine {
  readonly port: number;
  /** Open connections fall silent for ever, and new ones too until `restore`. */
  silence(): void;
  /** New connections reach the server again, or another one, as after a failover. */
  restore(to?: Target): void;
  close(): Promise<void>;
}

export async function openSilentLine(to: Target): Promise<SilentLine> {
  let target = to;
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    return socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (isSilent) return;
    const far = keep(connect(target.port, target.host));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore(next = target) {
      target = next;
      isSilent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
