/**
 * `npm run examples` loads this before each test file: what routes received and answered is written
 * to the folder `EXAMPLES`, one JSON line for each. `scripts/write-examples.ts` chooses from it.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ObservedAnswer, observeAnswers } from './observe-answers.ts';

/** A request with its answer, as recorded. */
export interface RecordedExchange {
  readonly operationId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Media type of the body; `''` without one. */
  readonly bodyType: string;
  /** The parsed body; its amounts are strings. */
  readonly body?: unknown;
  readonly status: number;
  /** Media type of the answer; `''` without a body. */
  readonly answerType: string;
  /** As sent. */
  readonly answer: string;
  readonly location?: string;
}

const ANSWER_MAX = 20_000;
/** Of each operation, status and media type: enough to choose from. */
const EXCHANGES_MAX = 40;
const file = join(process.env.EXAMPLES ?? '', `${process.pid}.jsonl`);
const counts = new Map<string, number>();

const isJson = (type: string): boolean => /^application\/(\w+\+)?json$/.test(type);

function record(observed: ObservedAnswer): void {
  const { request, bodyType, status, mediaType, location, text } = observed;
  const operationId = request.routeOptions.schema?.operationId;
  if (operationId === undefined || status >= 400 || status === 304) return;
  if (isJson(mediaType) && text.length > ANSWER_MAX) return;
  const kind = `${operationId} ${bodyType} ${status} ${mediaType}`;
  const count = counts.get(kind) ?? 0;
  if (count >= EXCHANGES_MAX) return;
  counts.set(kind, count + 1);
  const exchange = {
    operationId,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    bodyType,
    body: request.body ?? undefined,
    status,
    answerType: text === '' ? '' : mediaType,
    answer: text.slice(0, ANSWER_MAX),
    ...(location !== undefined && { location }),
  } satisfies RecordedExchange;
  appendFileSync(file, `${JSON.stringify(exchange)}\n`);
}

const isRecording = Symbol.for('edge-account.record-examples');

if (!(isRecording in globalThis)) {
  Object.assign(globalThis, { [isRecording]: true });
  observeAnswers(record);
}
