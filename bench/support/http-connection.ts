/**
 * One kept-alive HTTP/1.1 connection that sends text made beforehand and looks at as little of an
 * answer as it can: the processor time of the client is missing to the server beside it. No
 * pipelining, no redirects, plain http.
 */
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('\r\n0\r\n\r\n');
const STATUS = { from: 9, to: 12 } as const;

export interface HttpAnswer {
  readonly status: number;
  /** What was received behind the head, chunk sizes included. */
  readonly body: Buffer;
}

export interface HttpConnection {
  /** Sends a whole request; the next one only after its answer. */
  exchange(request: string): Promise<HttpAnswer>;
  close(): void;
}

interface Head {
  readonly status: number;
  /** Where the body begins. */
  readonly end: number;
  /** Length of the body; undefined when it comes in chunks. */
  readonly length: number | undefined;
}

function readHead(received: Buffer): Head | undefined {
  const at = received.indexOf(HEAD_END);
  if (at < 0) return undefined;
  const head = received.toString('latin1', 0, at).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  const isChunked = head.includes('\r\ntransfer-encoding: chunked');
  return {
    status: Number(head.slice(STATUS.from, STATUS.to)),
    end: at + HEAD_END.length,
    length: isChunked ? undefined : Number(length ?? 0),
  };
}

function isComplete({ end, length }: Head, received: Buffer): boolean {
  if (length !== undefined) return received.length >= end + length;
  // The line end before the last chunk is that of the head when there is no other chunk.
  return (
    received.length >= end &&
    received
      .subarray(end - 2)
      .subarray(-CHUNKS_END.length)
      .equals(CHUNKS_END)
  );
}

/** Opens a connection to this machine. */
export function openConnection(port: number): HttpConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let head: Head | undefined;
  let waiting: PromiseWithResolvers<HttpAnswer> | undefined;
  socket.on('data', (piece: Buffer) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece]);
    head ??= readHead(received);
    if (!head || !isComplete(head, received)) return;
    const answer = { status: head.status, body: received.subarray(head.end) };
    head = undefined;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection')));
  return {
    exchange(request) {
      waiting = Promise.withResolvers();
      if (socket.closed) waiting.reject(new Error('the server closed a connection'));
      socket.write(request, 'latin1');
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}
