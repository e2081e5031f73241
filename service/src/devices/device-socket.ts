/** The socket of a device with what the service knows of it, and what it is closed for. */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Principal } from '../http/index.ts';
import type { CallingDevice } from './find-calling-device.ts';

/** What closes a connection; 4000 to 4999 belong to applications. */
export const CLOSE = {
  unauthorised: 4401,
  disconnected: 4403,
  silent: 4408,
  replaced: 4409,
  flood: 4429,
  limit: 4429,
  badMessage: 4400,
  restart: 1012,
} as const;

export const FRAME_MAX_BYTES = 4096;
/** Whoever is told to go has this long to say goodbye. */
export const CLOSE_TIMEOUT_MS = 1000;
/** Whoever sent what it should not may be busy sending more of it: it has this long to read why that is of no use. */
const LINGER_MS = 5000;

type Facts = Pick<Principal, 'jti' | 'sid' | 'grantId' | 'clientId' | 'issuedAt' | 'expiresAt'>;

/** What `ws` closes for by itself, in words. */
const PROTOCOL_ERRORS: Readonly<Record<number, string>> = {
  1002: 'not the WebSocket protocol',
  1007: 'text that is not UTF-8',
  1008: 'too many fragments',
  1009: `a message of more than ${FRAME_MAX_BYTES} bytes`,
};

/** A socket with what the service knows of it. */
export class DeviceSocket extends WebSocket {
  facts: Facts | undefined;
  device: CallingDevice | undefined;
  raw: Duplex | undefined;
  address = '';
  release: (() => void) | undefined;
  /** The second of the interval in which it is pinged. */
  turn = 0;
  /** The tick of the ping that is still to be answered. */
  unanswered: number | undefined;
  messages = 0;

  /** Without a reason it is `ws` that closes, for what the client sent; the client is told like anybody else. */
  override close(code?: number, reason?: string): void {
    const words = reason ?? (code === undefined ? undefined : PROTOCOL_ERRORS[code]);
    if (reason === undefined && words !== undefined && this.readyState === WebSocket.OPEN) {
      this.send(JSON.stringify({ type: 'disconnect', code, reason: words }));
      super.close(code, words);
      this.hearNoMore();
    } else super.close(code, words);
  }

  /**
   * What still comes is thrown away as it is, at no cost. A connection that ends with something unread is reset, and the
   * client loses what it was told together with what it sent.
   */
  hearNoMore(): void {
    this.raw?.removeAllListeners('data').resume().end();
    setTimeout(() => this.terminate(), LINGER_MS).unref();
  }
}
