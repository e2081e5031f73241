/**
 * One validator for all routes: no coercion, no defaults, nothing removed. Schemas compile at their
 * first use.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { isCalendarDay } from '../lib/calendar.ts';
import { isStorableText } from '../lib/exact-json.ts';
import { type FieldFailure, failure, fieldError } from '../lib/failures.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import { type AjvError, toFieldFailure } from './validation-errors.ts';

/** RFC 3339. JavaScript would accept 30 February as 2 March, and 24:00 as the next day. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The years 0001 to 9999 in UTC: an offset could lead out of them, where the database ends. */
const INSTANTS_MS = { from: Date.parse('0001-01-01'), before: Date.parse('+010000-01-01') };

/** An instant of the calendar. */
export function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || !isCalendarDay(day)) return false;
  const at_ms = Date.parse(text);
  return at_ms >= INSTANTS_MS.from && at_ms < INSTANTS_MS.before;
}

function createAjv(allErrors: boolean): Ajv {
  return new Ajv({
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors,
    // Error messages quote the schema's description.
    verbose: true,
    strict: false,
    formats: {
      'calendar-day': isCalendarDay,
      'date-time': isInstant,
      // Empty: unknown.
      'time-zone': (text: string) => text === '' || isTimeZone(text),
      // Any text: what names nothing is not found.
      'path-id': true,
      'not-negative': (text: string) => !text.startsWith('-'),
    },
  });
}

const ajv = createAjv(false);

/** Compiles at the first call: all schemas at once would slow down the start. */
function compileLazily(compiler: Ajv, schema: TSchema): (data: unknown) => AjvError[] {
  let validate: ValidateFunction | undefined;
  return (data) => {
    validate ??= compiler.compile(schema);
    return validate(data) ? [] : ((validate.errors ?? []) as AjvError[]);
  };
}

function createCompiler(compiler: Ajv): FastifySchemaCompiler<TSchema> {
  return ({ schema }) => {
    const findErrors = compileLazily(compiler, schema);
    return (data: unknown) => {
      const validation = findErrors(data);
      return validation.length === 0
        ? { value: data }
        : { error: Object.assign(new Error('validation'), { validation }) as never };
    };
  };
}

export const validatorCompiler = createCompiler(ajv);

/** For documents that operators write by hand: reports all errors, not only the first. */
export const validateWholly = createCompiler(createAjv(true));

/** For a batch with a result per item: the body is validated by a looser schema than documented. */
export function validateBodyBy(schema: TSchema): FastifySchemaCompiler<TSchema> {
  return (part) => validatorCompiler(part.httpPart === 'body' ? { ...part, schema } : part);
}

export type ItemValidator<T extends TSchema> = (
  item: unknown,
) => { readonly value: Static<T> } | { readonly error: FieldFailure };

/** Validates one item of a batch, so that an invalid one does not refuse the others. */
export function createItemValidator<T extends TSchema>(schema: T): ItemValidator<T> {
  const findErrors = compileLazily(ajv, schema);
  return (item) => {
    const [error] = findErrors(item);
    return error ? { error: toFieldFailure(error) } : { value: item as Static<T> };
  };
}

/** Finds every error of a value, for files whose author corrects all of them at once. */
export function createErrorFinder(schema: TSchema): (value: unknown) => FieldFailure[] {
  const findErrors = compileLazily(createAjv(true), schema);
  return (value) => findErrors(value).map(toFieldFailure);
}

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;

type Properties = Record<string, { type?: string }>;

/** Converts a query value to an integer or boolean of the schema; other text is refused later. */
function convertQueryValue(type: string | undefined, text: string): unknown {
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Hook: converts the query by the route's schema, and refuses a URL with unstorable text. */
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
      throw fieldError(name, 'not_storable', 'contains NUL or a lone surrogate');
    query[name] = convertQueryValue(schema?.properties?.[name]?.type, value);
  }
}

/** Hook: an optional body that was left out is an empty object, to handlers and request hashes. */
export async function fillOptionalBody(request: FastifyRequest): Promise<void> {
  const { type } = (request.routeOptions.schema?.body ?? {}) as { type?: unknown };
  if (Array.isArray(type) && type.includes('null')) request.body ??= {};
}
