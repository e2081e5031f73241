/** JSON-RPC over HTTP with one node: time limits, size limits, a few quick tries, and no belief in what comes back. */
import { AnswerTooLarge, PostTimeout, post } from './http-post.ts';
import { NODE_ERRORS } from './node-errors.ts';

/** A node failed us. Nothing was decided; another try, or another node, may do better. */
export class RpcError extends Error {
  readonly kind: 'unreachable' | 'too_slow' | 'refused' | 'malformed' | 'contradiction';
  /** JSON-RPC error code, when the node refused. */
  readonly rpcCode: number | undefined;
  constructor(kind: RpcError['kind'], message: string, rpcCode?: number) {
    super(message);
    this.name = 'RpcError';
    this.kind = kind;
    this.rpcCode = rpcCode;
  }
}

/** A field of an answer is not what it should be. */
export function malformed(field: string, value: unknown): RpcError {
  const shown = JSON.stringify(value)?.slice(0, 80);
  return new RpcError(
    'malformed',
    shown === undefined
      ? NODE_ERRORS.say('field_missing', { field })
      : NODE_ERRORS.say('field_malformed', { field, value: shown }),
  );
}

export interface JsonRpc {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface JsonRpcOptions {
  readonly timeout_ms?: number;
  /** Keeps numbers with decimals as their text: an amount must not become a double. */
  readonly exactDecimals?: boolean;
}

const TIMEOUT_MS = 10_000;
const TRIES = 4;
const FIRST_PAUSE_MS = 40;
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

function keepDecimals(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && /[.eE]/.test(context.source)
    ? context.source
    : value;
}

function parseAnswer(text: string, method: string, exactDecimals: boolean): unknown {
  let answer: { error?: { code?: unknown; message?: unknown } | null; result?: unknown };
  try {
    answer = JSON.parse(
      text,
      exactDecimals ? (keepDecimals as (key: string, value: unknown) => unknown) : undefined,
    );
  } catch {
    throw new RpcError('malformed', NODE_ERRORS.say('no_json', { method }));
  }
  if (typeof answer !== 'object' || answer === null)
    throw new RpcError('malformed', NODE_ERRORS.say('no_object', { method }));
  if (answer.error) {
    const code = typeof answer.error.code === 'number' ? answer.error.code : undefined;
    throw new RpcError(
      'refused',
      NODE_ERRORS.say('refused', { method, words: String(answer.error.message).slice(0, 200) }),
      code,
    );
  }
  if (!('result' in answer))
    throw new RpcError('malformed', NODE_ERRORS.say('no_result', { method }));
  return answer.result;
}

/** The address without its user and password, and the headers, which carry them instead. */
function splitCredentials(address: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(address);
  const headers = { 'content-type': 'application/json' };
  if (url.username === '' && url.password === '') return { url, headers };
  const credentials = Buffer.from(
    `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
  ).toString('base64');
  url.username = '';
  url.password = '';
  return { url, headers: { ...headers, authorization: `Basic ${credentials}` } };
}

/** A cut connection or a refusal for load is worth another try; who waited for a time-out asks another node. */
function isWorthAnotherTry(error: RpcError): boolean {
  if (error.kind === 'too_slow') return false;
  return (
    error.kind !== 'refused' ||
    error.rpcCode === -32005 ||
    error.rpcCode === -32603 ||
    error.rpcCode === 429
  );
}

function toRpcError(error: unknown, method: string): RpcError {
  // The cause names hosts and ports; people see which node it was by its label.
  if (error instanceof PostTimeout)
    return new RpcError('too_slow', NODE_ERRORS.say('too_slow', { method }));
  if (error instanceof AnswerTooLarge)
    return new RpcError(
      'malformed',
      NODE_ERRORS.say('too_large', { method, bytes: ANSWER_BYTES_MAX }),
    );
  return new RpcError('unreachable', NODE_ERRORS.say('no_connection', { method }));
}

export function createJsonRpc(address: string, options: JsonRpcOptions = {}): JsonRpc {
  const { timeout_ms = TIMEOUT_MS, exactDecimals = false } = options;
  const { url, headers } = splitCredentials(address);
  let id = 0;

  async function once(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const { status, text } = await post(url, {
      body,
      headers,
      timeout_ms,
      bytesMax: ANSWER_BYTES_MAX,
    }).catch((error: unknown) => {
      throw toRpcError(error, method);
    });
    // bitcoind sends its refusals with status 500 and a JSON-RPC error in the body. A redirect is followed by nobody.
    if (status >= 300 && (status < 400 || !text.startsWith('{')))
      throw new RpcError('unreachable', NODE_ERRORS.say('http_status', { method, status }));
    return parseAnswer(text, method, exactDecimals);
  }

  return {
    async call(method, params) {
      for (let tries = 1; ; tries++) {
        try {
          return await once(method, params);
        } catch (error) {
          if (!(error instanceof RpcError) || tries >= TRIES || !isWorthAnotherTry(error))
            throw error;
          await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tries));
        }
      }
    },
  };
}
