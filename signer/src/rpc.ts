/** JSON-RPC with the signer's own endpoint; several calls in one request. */

export class RpcError extends Error {
  /** The endpoint answered with an error: undefined when it did not answer. */
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const TIMEOUT_MS = 20_000;

export interface Rpc {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Results in the order of the calls; an error stands in the place of its call. */
  batch(calls: readonly RpcCall[]): Promise<(unknown | RpcError)[]>;
}

/** User and password of a URL as a header: `fetch` refuses them in the address. */
function splitCredentials(text: string): { url: string; headers: Record<string, string> } {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, headers: {} };
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return { url: url.href, headers: { authorization } };
}

export function createRpc(
  address: string,
  send: typeof fetch = fetch,
  timeout_ms = TIMEOUT_MS,
): Rpc {
  const { url, headers } = splitCredentials(address);
  async function batch(calls: readonly RpcCall[]): Promise<(unknown | RpcError)[]> {
    if (calls.length === 0) return [];
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
      signal: AbortSignal.timeout(timeout_ms),
    });
    if (!response.ok) throw new RpcError(`the endpoint answered ${response.status}`);
    const answers = (await response.json()) as Answer[];
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    return calls.map(({ method }, id) => {
      const answer = byId.get(id);
      if (!answer) throw new RpcError(`the endpoint did not answer ${method}`);
      const { error, result } = answer;
      return error ? new RpcError(`${method}: ${error.message}`, error.code) : result;
    });
  }
  return {
    batch,
    async call(method, params) {
      const [result] = await batch([{ method, params }]);
      if (result instanceof RpcError) throw result;
      return result;
    },
  };
}
