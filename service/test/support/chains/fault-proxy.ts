/** A JSON-RPC proxy in front of a real node, with configurable wrong responses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callRpc } from './anvil.ts';

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Responds in place of the node; `ask` calls it. A thrown error becomes an error response;
 * `HANG_UP` closes the connection.
 */
export type Intercept = (
  request: RpcRequest,
  ask: (request?: RpcRequest) => Promise<unknown>,
) => Promise<unknown>;

export const HANG_UP = Symbol('hang up');

export interface FaultProxy {
  readonly url: string;
  /** All received requests, newest last. */
  readonly log: RpcRequest[];
  intercept(with_: Intercept | undefined): void;
  /** Switches the proxy to another node. */
  target(url: string): void;
  stop(): Promise<void>;
}

export async function startFaultProxy(firstTarget: string): Promise<FaultProxy> {
  let target = firstTarget;
  let intercept: Intercept | undefined;
  const log: RpcRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest & {
        id: number;
      };
      const request = { method, params };
      log.push(request);
      const ask = (changed: RpcRequest = request): Promise<unknown> =>
        callRpc(target, changed.method, changed.params);
      let body: string;
      try {
        const result = intercept ? await intercept(request, ask) : await ask();
        if (result === HANG_UP) {
          incoming.socket.destroy();
          return;
        }
        body =
          typeof result === 'object' && result !== null && 'rawBody' in result
            ? String(result.rawBody)
            : JSON.stringify({ jsonrpc: '2.0', id, result });
      } catch (error) {
        body = JSON.stringify({
          jsonrpc: '2.0',
          id,
          error: { code: -32000, message: (error as Error).message },
        });
      }
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    intercept(with_) {
      intercept = with_;
    },
    target(url) {
      target = url;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
