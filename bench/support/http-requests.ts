/** The requests that the load client sends, as text. */
import { randomUUID } from 'node:crypto';

/** Where the load goes, and as whom. */
export interface Target {
  readonly port: number;
  readonly token?: string;
}

/** People with IDs in a row. */
export interface PeopleRange {
  readonly first: number;
  readonly count: number;
}

/** What is sent again and again. */
export type RequestKind =
  | { readonly kind: 'get'; readonly path: string; readonly status?: number }
  | { readonly kind: 'rewards'; readonly people: PeopleRange }
  | {
      readonly kind: 'transfers';
      readonly people: PeopleRange;
      readonly size: number;
      readonly order: 'row' | 'random';
    };

/** Amounts as a network pays them: 18 decimals, all used. */
const AMOUNT = '1.234567890123456789';
const TYPES = ['UPTIME', 'TRAFFIC', 'TASK', 'BONUS'] as const;
const DEVICES = 20;

const below = (n: number): number => Math.floor(Math.random() * n);

function headOf(method: string, path: string, { port, token }: Target, more = ''): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${authorization}${more}`;
}

/** A POST with a key of its own, 36 characters long as keys of business servers are. */
function postOf(head: string, body: string): string {
  return `${head}Idempotency-Key: ${randomUUID()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function rewardOf({ first, count }: PeopleRange): string {
  const type = TYPES[below(TYPES.length)] ?? TYPES[0];
  return (
    `{"user_id":${first + below(count)},"currency":"EDGE",` +
    `"amount":${AMOUNT},"reward_type":"${type}"}`
  );
}

function transferOf(userId: number): string {
  const credit = `"debit":{"house":"reward_pool"},"credit":{"user_id":${userId},"wallet":"bonus"}`;
  const what = `"currency":"EDGE","amount":${AMOUNT},"business_id":"reward","reward_type":"UPTIME"`;
  return `{${credit},${what},"node_id":"node-${userId}-${below(DEVICES)}"}`;
}

function batchOf({ first, count }: PeopleRange, size: number, order: 'row' | 'random'): string {
  const start = below(count);
  const items = Array.from({ length: size }, (_, i) =>
    transferOf(first + (order === 'row' ? (start + i) % count : below(count))),
  );
  return `{"transfers":[${items.join(',')}]}`;
}

/** Makes one request after another. */
export function createRequests(target: Target, what: RequestKind): () => string {
  const json = 'Content-Type: application/json\r\n';
  if (what.kind === 'get') {
    const request = `${headOf('GET', what.path, target)}\r\n`;
    return () => request;
  }
  if (what.kind === 'rewards') {
    const head = headOf('POST', '/operator/rewards', target, json);
    return () => postOf(head, rewardOf(what.people));
  }
  const head = headOf('POST', '/operator/transfers', target, json);
  return () => postOf(head, batchOf(what.people, what.size, what.order));
}

/** Why an answer is not the expected one, if so. */
export function findFault(what: RequestKind, status: number, body: Buffer): string | undefined {
  const expected = what.kind === 'get' ? (what.status ?? 200) : 200;
  if (status !== expected) return `the answer was ${status}: ${body.toString().slice(0, 500)}`;
  if (what.kind === 'transfers' && body.includes('"refused"'))
    return `an item was refused: ${body.toString().slice(0, 500)}`;
  return undefined;
}
