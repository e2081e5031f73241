/** Receives the redirect of a sign-in on a loopback port. */
import { createServer, type Server } from 'node:http';

const TIMEOUT_MS = 600_000;
/** Time for the browser to read the answer. */
const LINGER_MS = 1000;
const DONE = 'You can close this page and go back to the terminal.';
const UNKNOWN_STATE =
  'Unknown sign-in. The terminal still waits for its own: open the address that it shows.';

export interface CallbackListener {
  readonly redirectUri: string;
  /**
   * The redirect with this state. Any page may call this port; a request without the state has no
   * effect.
   */
  waitFor(state: string): Promise<string>;
  close(): void;
}

async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

export async function listenForCallback(timeout_ms = TIMEOUT_MS): Promise<CallbackListener> {
  const arrived = Promise.withResolvers<string>();
  let expected: string | undefined;
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', origin);
    const isAnswer = expected !== undefined && url?.searchParams.get('state') === expected;
    const [status, text] =
      url?.pathname !== '/callback' ? [404, ''] : isAnswer ? [200, DONE] : [400, UNKNOWN_STATE];
    response
      .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end(text);
    if (status === 200 && url) arrived.resolve(url.href);
  });
  const origin = await listenOnLoopback(server);
  const timer = setTimeout(
    () => arrived.reject(new Error('the sign-in was not completed within ten minutes')),
    timeout_ms,
  );
  return {
    redirectUri: `${origin}/callback`,
    waitFor(state) {
      expected = state;
      return arrived.promise;
    },
    close() {
      clearTimeout(timer);
      server.close();
      setTimeout(() => server.closeAllConnections(), LINGER_MS).unref();
    },
  };
}
