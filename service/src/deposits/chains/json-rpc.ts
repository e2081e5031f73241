/** JSON-RPC over HTTP with one endpoint: limits of time and size, a few quick tries. */
import { setTimeout } from 'node:timers/promises';
import type { CodedMessage } from '../../lib/coded-messages.ts';
import { AnswerTooLarge, PostTimeout, post } from './http-post.ts';
import { NODE_ERRORS } from './node-errors.ts';

/** An endpoint failed. Nothing was decided; another try, or another endpoint, may do better. */
export class RpcError extends Error {
  readonly kind: 'unreachable' | 'too_slow' | 'refused' | 'malformed' | 'contradiction';
  readonly reason: CodedMessage;
  /** JSON-RPC error code of a refusal. */
  readonly rpcCode: number | undefined;
  constructor(kind: RpcError['kind'], reason: CodedMessage, rpcCode?: number) {
    super(NODE_ERRORS.format(reason));
    this.name = 'RpcError';
    this.kind = kind;
    this.reason = reason;
    this.rpcCode = rpcCode;
  }
}

/** A field of an answer is not what it should be. */
export function malformed(field: string, value: unknown): RpcError {
  const shown = JSON.stringify(value)?.slice(0, 80);
  const reason =
    shown === undefined
      ? NODE_ERRORS.create('field_missing', { field })
      : NODE_ERRORS.create('field_malformed', { field, value: shown });
  return new RpcError('malformed', reason);
}

export interface JsonRpc {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/**
 * The result of a call; undefined when the endpoint refuses it with one of these codes, or with any
 * when no codes are given.
 */
export function callUnlessRefused(
  rpc: JsonRpc,
  method: string,
  params: readonly unknown[],
  codes?: readonly number[],
): Promise<unknown> {
  return rpc.call(method, params).catch((error: unknown) => {
    const isRefusal = error instanceof RpcError && error.kind === 'refused';
    if (isRefusal && (codes === undefined || codes.includes(error.rpcCode ?? 0))) return undefined;
    throw error;
  });
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
/** Codes of refusals because of load. */
const LOAD_CODES: readonly unknown[] = [-32005, -32603, 429];

function keepDecimals(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isDecimal = typeof value === 'number' && /[.eE]/.test(context?.source ?? '');
  return isDecimal ? context?.source : value;
}

function parseAnswer(text: string, method: string, exactDecimals: boolean): unknown {
  let answer: { error?: { code?: unknown; message?: unknown } | null; result?: unknown } | null;
  try {
    answer = JSON.parse(text, exactDecimals ? keepDecimals : undefined);
  } catch {
    throw new RpcError('malformed', NODE_ERRORS.create('no_json', { method }));
  }
  if (typeof answer !== 'object' || answer === null)
    throw new RpcError('malformed', NODE_ERRORS.create('no_object', { method }));
  if (answer.error) {
    const { code, message } = answer.error;
    const words = String(message).slice(0, 200);
    const reason = NODE_ERRORS.create('refused', { method, words });
    throw new RpcError('refused', reason, typeof code === 'number' ? code : undefined);
  }
  if ('result' in answer) return answer.result;
  throw new RpcError('malformed', NODE_ERRORS.create('no_result', { method }));
}

/**
 * A cut connection or a refusal because of load is worth another try; after a timeout the caller
 * tries another endpoint.
 */
const isTransient = ({ kind, rpcCode }: RpcError): boolean =>
  kind !== 'too_slow' && (kind !== 'refused' || LOAD_CODES.includes(rpcCode));

function toRpcError(error: unknown, method: string): RpcError {
  if (error instanceof PostTimeout)
    return new RpcError('too_slow', NODE_ERRORS.create('too_slow', { method }));
  if (error instanceof AnswerTooLarge) {
    const reason = NODE_ERRORS.create('too_large', { method, bytes: ANSWER_BYTES_MAX });
    return new RpcError('malformed', reason);
  }
  // The cause is left out: it names hosts and ports. The label names the endpoint.
  return new RpcError('unreachable', NODE_ERRORS.create('no_connection', { method }));
}

export function createJsonRpc(address: string, options: JsonRpcOptions = {}): JsonRpc {
  const { timeout_ms = TIMEOUT_MS, exactDecimals = false } = options;
  const url = new URL(address);
  let id = 0;

  async function callOnce(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const request = { body, timeout_ms, bytesMax: ANSWER_BYTES_MAX };
    const { status, text } = await post(url, request).catch((error: unknown) => {
      throw toRpcError(error, method);
    });
    // bitcoind refuses with status 500 and a JSON-RPC error in the body.
    if (status >= 300 && (status < 400 || !text.startsWith('{')))
      throw new RpcError('unreachable', NODE_ERRORS.create('http_status', { method, status }));
    return parseAnswer(text, method, exactDecimals);
  }

  async function call(method: string, params: readonly unknown[], tries = 1): Promise<unknown> {
    try {
      return await callOnce(method, params);
    } catch (error) {
      if (!(error instanceof RpcError) || tries >= TRIES || !isTransient(error)) throw error;
      await setTimeout(FIRST_PAUSE_MS * 2 ** tries);
      return call(method, params, tries + 1);
    }
  }

  return { call: (method, params) => call(method, params) };
}
