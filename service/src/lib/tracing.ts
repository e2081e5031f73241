/**
 * Spans of OpenTelemetry. Without a tracer (`commands/start-tracing.ts`) its API does nothing.
 */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('edge-account');

export interface SpanOptions {
  readonly kind?: 'client' | 'internal';
  readonly attributes?: Attributes;
  /** True for work that no request caused: it begins a trace of its own. */
  readonly isRoot?: boolean;
}

/** Ends a span as failed. The message of the error is left out: it may hold values. */
function fail(span: Span, error: unknown): void {
  const code = (error as { code?: unknown } | null)?.code;
  const name = error instanceof Error ? error.name : 'Error';
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs `work` in a span that ends with it. `work` is called before this function returns. */
export function inSpan<T>(
  name: string,
  { kind, attributes = {}, isRoot = false }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const options = {
    kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes,
    root: isRoot,
  };
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The span of a request that this process answers, and the context of its work. */
export interface RequestSpan {
  readonly span: Span;
  readonly context: Context;
}

/**
 * Begins the span of a received request, as a child of the caller's (`traceparent`, W3C Trace
 * Context).
 */
export function startRequestSpan(
  method: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): RequestSpan {
  const caller = propagation.extract(ROOT_CONTEXT, headers);
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
  return { span, context: trace.setSpan(caller, span) };
}

/** @param route the template of the path: a path itself holds identifiers */
export function endRequestSpan(
  { span }: RequestSpan,
  method: string,
  { route, status }: { readonly route: string; readonly status: number },
): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The headers by which the called server continues the active trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** Identifier of a span's trace, for the log; absent without a tracer. */
export function traceIdOf({ span }: RequestSpan): string | undefined {
  return trace.isSpanContextValid(span.spanContext()) ? span.spanContext().traceId : undefined;
}

/** Calls `work` with the span of a request as the active one. */
export function underRequestSpan(requestSpan: RequestSpan, work: () => void): void {
  context.with(requestSpan.context, work);
}
