/** One WebSocket of a device, from its opening to its close. */
import type { EdgeError } from './problem.ts';

/** The part of a WebSocket that is used; browsers and `ws` have it. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  /** Called instead of `onclose` when the handshake was refused; never in browsers. */
  onRefused?: ((refusal: EdgeError) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
  readonly wasOpen: boolean;
  readonly openFor_ms: number;
  readonly refusal?: EdgeError;
}

const CONNECT_TIMEOUT_MS = 15_000;
/** Limit of the response to a heartbeat: after sleep, or on a dead path, the socket is replaced. */
const ANSWER_TIMEOUT_MS = 10_000;
const DEFAULT_INTERVAL_S = 30;
/** Normal closure (RFC 6455), sent by this side. */
const STOPPED = 1000;
const BEAT = '{"type":"beat"}';

/** Resolves when the socket has closed. A heartbeat without a response closes it. */
export function runSocket(
  socket: SocketLike,
  signal: AbortSignal,
  beatAtLeastEvery_s: number,
  onOnline: () => void,
): Promise<Closed> {
  return new Promise((resolve) => {
    let wasOpen = false;
    let openedAt_ms = performance.now();
    let beatTimer: ReturnType<typeof setTimeout> | undefined;
    let deadline = setTimeout(() => finish(1006, 'no answer'), CONNECT_TIMEOUT_MS);

    function finish(code: number, reason: string, refusal?: EdgeError): void {
      clearTimeout(beatTimer);
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
      socket.onclose = null;
      socket.onRefused = null;
      socket.onerror = () => {};
      if (code === STOPPED) socket.close(STOPPED);
      else socket.close();
      resolve({
        code,
        reason,
        wasOpen,
        openFor_ms: performance.now() - openedAt_ms,
        ...(refusal && { refusal }),
      });
    }
    function stop(): void {
      finish(STOPPED, 'stopped');
    }
    function beatLater(interval_s: number): void {
      clearTimeout(deadline);
      clearTimeout(beatTimer);
      beatTimer = setTimeout(() => {
        socket.send(BEAT);
        deadline = setTimeout(() => finish(1006, 'a beat was not answered'), ANSWER_TIMEOUT_MS);
      }, interval_s * 1000);
    }
    let interval_s = DEFAULT_INTERVAL_S;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string; heartbeat_interval?: number };
      if (message.type === 'disconnect') return;
      if (message.type === 'state') {
        wasOpen = true;
        openedAt_ms = performance.now();
        interval_s = Math.min(beatAtLeastEvery_s, message.heartbeat_interval ?? interval_s);
        onOnline();
      }
      beatLater(interval_s);
    };
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) => finish(code, reason);
    socket.onRefused = (refusal) => finish(1006, refusal.words, refusal);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}
