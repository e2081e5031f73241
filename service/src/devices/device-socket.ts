/** The WebSocket of a device, and the codes that it is closed with. */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** Close codes by cause; 4000 to 4999 belong to applications. */
export const CLOSE_CODES = {
  unauthorised: 4401,
  disconnected: 4403,
  silent: 4408,
  replaced: 4409,
  flood: 4429,
  limit: 4429,
  badMessage: 4400,
  restart: 1012,
} as const;
export type CloseCause = keyof typeof CLOSE_CODES;

export const REPLACED = 'the device connected again';
export const FRAME_MAX_BYTES = 4096;
/** The protocol allows 123 bytes; the reasons are ASCII. */
const REASON_MAX = 120;
/** Time to answer a closing handshake. */
const CLOSE_TIMEOUT_MS = 1000;
/** Time to read the reason for a client that may be busy sending. */
const LINGER_MS = 5000;

/** Protocol errors that `ws` itself closes for. */
export const PROTOCOL_ERRORS: Readonly<Record<number, string>> = {
  1002: 'not the WebSocket protocol',
  1007: 'text that is not UTF-8',
  1008: 'too many fragments',
  1009: `a message of more than ${FRAME_MAX_BYTES} bytes`,
};

export class DeviceSocket extends WebSocket {
  /** The network socket below; set when the connection opens. */
  raw: Duplex | undefined;

  /** Sends the reason as a message, too: browsers and proxies may drop that of the close frame. */
  closeFor(code: number, text: string): void {
    const reason = text.slice(0, REASON_MAX);
    this.send(JSON.stringify({ type: 'disconnect', code, reason }));
    super.close(code, reason);
  }

  /**
   * Ends the connection even if the client does not answer the closing handshake.
   * @param isSending the client may be busy sending, and reads the reason afterwards
   */
  terminateSoon(isSending = false): void {
    setTimeout(() => this.terminate(), isSending ? LINGER_MS : CLOSE_TIMEOUT_MS).unref();
  }

  /** Without a reason it is `ws` that closes after a protocol error. */
  override close(code?: number, reason?: string): void {
    const text = reason ?? (code === undefined ? undefined : PROTOCOL_ERRORS[code]);
    if (code === undefined || text === undefined || this.readyState !== WebSocket.OPEN) {
      super.close(code, text);
      return;
    }
    this.closeFor(code, text);
    this.stopReading();
  }

  /**
   * Discards what still arrives after an error of the protocol; `ws` ends its side at once. A
   * connection that ends with unread data is reset, and the client loses the reason that was sent.
   */
  stopReading(): void {
    this.raw?.removeAllListeners('data').resume().end();
    this.terminateSoon(true);
  }
}
