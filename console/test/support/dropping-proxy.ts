/**
 * A proxy between browser and service that can be cut: all connections close, and new ones are
 * refused until it is restored.
 */
import { connect, createServer, type Socket } from 'node:net';

export interface CutLine {
  cut(): void;
  mend(): void;
  close(): void;
}

/** Forwards connections from one port to another. */
export async function openCutLine(from: number, to: number): Promise<CutLine> {
  const open = new Set<Socket>();
  let isCut = false;
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    return socket.on('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = keep(connect(to, '127.0.0.1'));
    keep(near).pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  // Both loopback addresses, because a browser may use either for the name.
  await new Promise<void>((resolve) => server.listen(from, 'localhost', resolve));
  return {
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    close() {
      drop();
      server.close();
    },
  };
}
