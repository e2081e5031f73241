/**
 * Sends spans to a collector of OpenTelemetry (OTLP, protobuf over HTTP). The environment variables
 * are those of the OpenTelemetry specification; the libraries read most of them.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from './bootstrap.ts';

/** The end of the process does not wait longer for a collector that does not answer. */
const STOP_WITHIN_MS = 2000;

/** Ends the sending: what is collected is sent. */
export type StopTracing = () => Promise<void>;

type Environment = Readonly<Record<string, string | undefined>>;

function isWanted(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  if (env.OTEL_TRACES_EXPORTER === 'none') return false;
  return (
    env.OTEL_TRACES_EXPORTER !== undefined ||
    env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined
  );
}

/** @throws CommandError for a value of the specification that this program does not have */
function checkSupported(env: Environment): void {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol !== undefined && protocol !== 'http/protobuf')
    throw new CommandError(`the OTLP protocol ${protocol} is not supported: use http/protobuf`);
  if (env.OTEL_TRACES_EXPORTER !== undefined && env.OTEL_TRACES_EXPORTER !== 'otlp')
    throw new CommandError(
      `OTEL_TRACES_EXPORTER=${env.OTEL_TRACES_EXPORTER} is not supported: use otlp or none`,
    );
}

function readRatio(argument = '1'): number {
  const ratio = Number(argument);
  if (!(ratio >= 0 && ratio <= 1))
    throw new CommandError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return ratio;
}

async function createSampler(env: Environment) {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } =
    await import('@opentelemetry/sdk-trace');
  const name = env.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on';
  const isParentBased = name.startsWith('parentbased_');
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(readRatio(env.OTEL_TRACES_SAMPLER_ARG)),
  };
  const rootName = isParentBased ? name.slice('parentbased_'.length) : name;
  const createRoot = roots[rootName as keyof typeof roots];
  if (!createRoot) throw new CommandError(`OTEL_TRACES_SAMPLER=${name} is not supported`);
  return isParentBased ? new ParentBasedSampler({ root: createRoot() }) : createRoot();
}

/**
 * Begins the sending if the environment names a collector. The libraries are loaded only then.
 * @throws CommandError for an unsupported value
 */
export async function startTracing(env: Environment): Promise<StopTracing> {
  if (!isWanted(env)) return async () => {};
  checkSupported(env);
  const [api, core, hooks, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const named = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    sampler: await createSampler(env),
    resource: resources.resourceFromAttributes({ 'service.name': 'edge-account' }).merge(named),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  api.diag.setLogger(new api.DiagConsoleLogger(), api.DiagLogLevel.WARN);
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager());
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  api.trace.setGlobalTracerProvider(provider);
  return async () => {
    const sent = provider.shutdown().catch(() => {});
    await Promise.race([sent, wait(STOP_WITHIN_MS, undefined, { ref: false })]);
  };
}
