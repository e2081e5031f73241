/**
 * Examples of requests and answers, recorded from the running service by `npm run examples`. Tests
 * check them against the schemas and send them to the service.
 */
import recorded from './examples.json' with { type: 'json' };

export interface Example {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** By media type. */
  readonly bodies: Readonly<Record<string, unknown>>;
  /**
   * By status and media type. A text is shown as it is, in its first lines; a redirect as
   * `{location}`; an answer without a body, or of binary data, is null.
   */
  readonly answers: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: { readonly type?: unknown; readonly format?: unknown };
  example?: unknown;
}

interface Answer {
  readonly content?: Record<string, { example?: unknown }>;
  headers?: object;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { readonly content: Record<string, { example?: unknown }> };
  readonly responses: Record<string, Answer>;
}

const EXAMPLES = new Map(Object.entries(recorded as Record<string, Example>));

/** Ids in paths are validated as text, and documented as integers. */
function readValue(value: unknown, { type, format }: NonNullable<Parameter['schema']>): unknown {
  if (format === 'path-id' || type === 'integer') return Number(value);
  return type === 'boolean' ? value === true || value === 'true' : value;
}

function addToParameters(parameters: readonly Parameter[], example: Example): void {
  for (const parameter of parameters) {
    if (parameter.in === 'header') continue;
    const values = parameter.in === 'path' ? example.params : example.query;
    const value = values[parameter.name ?? ''];
    if (value !== undefined) parameter.example = readValue(value, parameter.schema ?? {});
  }
}

/** A body of one media type stands for the same operation's others too, unless they have own. */
function addToBodies(content: Record<string, { example?: unknown }>, { bodies }: Example): void {
  const [any] = Object.values(bodies);
  for (const [type, media] of Object.entries(content)) {
    const body = bodies[type] ?? any;
    if (body !== undefined) media.example = body;
  }
}

function addToAnswer(answer: Answer, status: string, { answers }: Example): void {
  for (const [type, media] of Object.entries(answer.content ?? {})) {
    const example = answers[`${status} ${type}`];
    if (example !== undefined && example !== null) media.example = example;
  }
  const { location } = (answers[status] ?? {}) as { location?: string };
  if (location === undefined) return;
  const schema = { type: 'string', format: 'uri' };
  const description = 'Where the browser goes.';
  answer.headers = { Location: { schema, description, example: location } };
}

/** Adds the recorded example of an operation to its parameters, bodies and answers. */
export function addExamples({ operationId, parameters, requestBody, responses }: Operation): void {
  const example = EXAMPLES.get(operationId ?? '');
  if (example === undefined) return;
  addToParameters(parameters ?? [], example);
  addToBodies(requestBody?.content ?? {}, example);
  for (const [status, answer] of Object.entries(responses)) addToAnswer(answer, status, example);
}
