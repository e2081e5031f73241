import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { createJobRunner } from '../src/jobs/index.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { runCommandHere } from './support/run-command.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { startService as startProcess } from './support/service-process.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

/** A collector that keeps the bodies it gets. */
async function startCollector(): Promise<{ url: string; bodies: Buffer[]; server: Server }> {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, server };
}

describe.each(RUN_ENGINES)('spans on %s', (engine) => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  let database: Database;
  let service: RunningService;
  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(provider);
    database = await openTestDatabase(engine);
    service = await startService(database);
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
    trace.disable();
    propagation.disable();
    context.disable();
  });

  test('a request continues the trace of its caller, and its statements are below it', async () => {
    const response = await fetch(`${service.baseUrl}/user/login-with-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: TRACEPARENT },
      body: JSON.stringify({ email: 'secret@example.test', login_password: 'a'.repeat(32) }),
    });
    await response.text();
    const ofTrace = () =>
      exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === TRACE_ID);
    const findRequest = () =>
      ofTrace().find(({ name }) => name === 'POST /user/login-with-password');
    await expect.poll(findRequest).toBeDefined();
    const request = findRequest();
    expect(request?.parentSpanContext?.spanId).toBe(PARENT_ID);
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/user/login-with-password',
      'http.response.status_code': response.status,
    });
    const statements = ofTrace().filter(({ attributes }) => 'db.query.text' in attributes);
    expect(statements.length).toBeGreaterThan(0);
    const requestId = request?.spanContext().spanId;
    expect(new Set(statements.map((span) => span.parentSpanContext?.spanId))).toEqual(
      new Set([requestId]),
    );
    expect(JSON.stringify(ofTrace().map(({ attributes }) => attributes))).not.toContain('secret@');
  });

  test('a job begins a trace of its own; a failure ends it without values', async () => {
    const done = Promise.withResolvers<void>();
    const job = {
      name: 'failing',
      every_ms: 1,
      run: () => database.query("select 'hidden'::int"),
    };
    const runner = createJobRunner(database, [job], () => done.resolve());
    await runner.start();
    await done.promise;
    await runner.stop();
    const spans = exporter.getFinishedSpans();
    const root = spans.find(({ name }) => name === 'job failing');
    const statement = spans.find(({ attributes }) =>
      String(attributes['db.query.text']).includes('hidden'),
    );
    expect(root?.parentSpanContext).toBeUndefined();
    expect(root?.status.code).toBe(2);
    expect(root?.attributes['error.type']).toBe('22P02');
    expect(statement?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
    expect(statement?.events).toEqual([]);
  });
});

describe('request identifiers', () => {
  let database: Database;
  let service: RunningService;
  beforeAll(async () => {
    database = await openTestDatabase('server');
    service = await startService(database);
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
  });

  const requestIdOf = async (given: string): Promise<string | null> => {
    const response = await fetch(`${service.baseUrl}/unknown`, {
      headers: { 'x-request-id': given },
    });
    expect(((await response.json()) as { request_id: string }).request_id).toBe(
      response.headers.get('x-request-id'),
    );
    return response.headers.get('x-request-id');
  };

  test.each(['7f3c:1', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'a'.repeat(128)])(
    'the identifier of a proxy is taken over: %s',
    async (given) => expect(await requestIdOf(given)).toBe(given),
  );

  test.each(['a'.repeat(129), 'a b', '"}', 'é', ''])(
    'another text is replaced: %s',
    async (given) => expect(await requestIdOf(given)).toMatch(/^[\w-]{12}-[0-9a-z]+$/),
  );
});

describe('a process with the environment variables of OpenTelemetry', () => {
  test('sends its spans to the collector, also those of the last moment', async () => {
    const collector = await startCollector();
    const service = await startProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'my-edge',
    });
    const answer = await fetch(`${service.baseUrl}/operator/ledger/accounts`, {
      headers: { traceparent: TRACEPARENT },
    });
    expect(answer.status).toBe(401);
    expect(await service.stop()).toBe(0);
    const sent = Buffer.concat(collector.bodies);
    expect(sent.includes('GET /operator/ledger/accounts')).toBe(true);
    expect(sent.includes('my-edge')).toBe(true);
    expect(sent.includes(Buffer.from(TRACE_ID, 'hex'))).toBe(true);
    expect(service.output()).toContain(`"trace_id":"${TRACE_ID}"`);
    await service.dispose();
    collector.server.close();
  });

  test('ends in time when the collector does not answer', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const service = await startProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    await fetch(`${service.baseUrl}/readyz`);
    expect(await service.stop()).toBe(0);
    await service.dispose();
    silent.closeAllConnections();
    silent.close();
  });

  test.each([
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER=zipkin is not supported'],
    [
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'the OTLP protocol grpc is not supported',
    ],
    [
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'jaeger_remote' },
      'OTEL_TRACES_SAMPLER=jaeger_remote is not supported',
    ],
    [
      {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '2',
      },
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
    ],
  ])('refuses what it does not support: %o', async (env, reason) => {
    const { code, stderr } = await runCommandHere(['serve'], env as Record<string, string>);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('    at ');
  });
});
