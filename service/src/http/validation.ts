/** One validator for all routes: no coercion, no defaults, nothing removed; schemas compile at their first use. */
import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { isCalendarDay } from '../lib/calendar.ts';
import { isStorableText } from '../lib/exact-json.ts';
import { type FieldFailure, failure, fieldError } from '../lib/failures.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import { type AjvError, toFieldFailure } from './validation-errors.ts';

/** RFC 3339 with a day that exists: JavaScript would take 30 February for 2 March, and 24:00 for the next day. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1];
  return day !== undefined && isCalendarDay(day);
}

function createAjv(allErrors: boolean): Ajv {
  return new Ajv({
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors,
    // With the schema at hand, a refusal can say what would be right.
    verbose: true,
    strict: false,
    formats: {
      'calendar-day': isCalendarDay,
      'date-time': isInstant,
      // Empty where it is not known.
      'time-zone': (text: string) => text === '' || isTimeZone(text),
      'not-negative': (text: string) => !text.startsWith('-'),
    },
  });
}

let shared: Ajv | undefined;

function ajv(): Ajv {
  shared ??= createAjv(false);
  return shared;
}

function compileBy(compiler: () => Ajv): FastifySchemaCompiler<TSchema> {
  return ({ schema }) => {
    let check: ValidateFunction | undefined;
    return (data: unknown) => {
      check ??= compiler().compile(schema as object);
      return check(data)
        ? { value: data }
        : { error: Object.assign(new Error('validation'), { validation: check.errors }) as never };
    };
  };
}

/** Compiles lazily: a start with a hundred routes costs nothing, each schema pays at its first request. */
export const validatorCompiler = compileBy(ajv);

/** For documents that trusted people write by hand: everything that is wrong is named at once. */
export const validateWholly = compileBy(() => createAjv(true));

/** For a route whose body is judged by another schema than the documented one: a batch whose items have each their own fate. */
export function validateBodyBy(schema: TSchema): FastifySchemaCompiler<TSchema> {
  return (part) => validatorCompiler(part.httpPart === 'body' ? { ...part, schema } : part);
}

/** Checks one part of a body that has a fate of its own, an item of a batch, as a route's schema would. */
export function createItemCheck<T extends TSchema>(
  schema: T,
): (item: unknown) => FieldFailure | undefined {
  let check: ValidateFunction | undefined;
  return (item) => {
    check ??= ajv().compile(schema);
    const error = check(item) ? undefined : check.errors?.[0];
    return error && toFieldFailure(error as AjvError);
  };
}

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;

type Properties = Record<string, { type?: string }>;

/** Query values are text: whole numbers and booleans become what the schema says; anything else stays text and is refused. */
function convertQueryValue(type: string | undefined, text: string): unknown {
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Hook: reads the query by the route's schema, and refuses text that could not be stored anywhere in the URL. */
export async function convertQuery(request: FastifyRequest): Promise<void> {
  for (const value of Object.values((request.params ?? {}) as Record<string, string>)) {
    if (!isStorableText(value)) throw failure('not_found');
  }
  const query = request.query as Record<string, unknown>;
  const schema = request.routeOptions.schema?.querystring as
    | { properties?: Properties }
    | undefined;
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') continue;
    if (!isStorableText(value) && request.routeOptions.config.allowsUnstorableText !== true)
      throw fieldError(name, 'not_storable', 'holds NUL or a lone surrogate');
    query[name] = convertQueryValue(schema?.properties?.[name]?.type, value);
  }
}
