/** Messages of validation errors. */
import type { FieldFailure } from '../lib/failures.ts';

export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: { readonly description?: string; readonly type?: unknown };
}

const FORMATS: Readonly<Record<string, string>> = {
  'calendar-day': 'must be a day that exists, as YYYY-MM-DD',
  'date-time': 'must be an instant, as 2026-02-28T12:00:00Z',
  'not-negative': 'must not be negative',
  'time-zone': 'must be a time zone of the IANA database, as Europe/Berlin',
};

function withDescription(message: string, { parentSchema }: AjvError): string {
  return parentSchema?.description === undefined
    ? message
    : `${message}: ${parentSchema.description.replace(/\.$/, '')}`;
}

const MESSAGES: Readonly<Record<string, (error: AjvError) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  format: ({ params }) => FORMATS[String(params.format)] ?? `must be a ${String(params.format)}`,
  pattern: (error) => withDescription('does not have the right form', error),
  type: (error) => withDescription(error.message ?? 'is of the wrong type', error),
  enum: ({ params }) => `must be one of ${(params.allowedValues as readonly unknown[]).join(', ')}`,
};

/** The member that the error is about, below its path. */
function lastName({ keyword, params }: AjvError): string {
  if (keyword === 'required') return String(params.missingProperty);
  return keyword === 'additionalProperties' ? String(params.additionalProperty) : '';
}

/** One error as a field of the problem document; the path uses dots. */
export function toFieldFailure(error: AjvError): FieldFailure {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const field = [path, lastName(error)].filter((part) => part !== '').join('.') || 'body';
  const code = error.params.format === 'not-negative' ? 'negative' : error.keyword;
  return {
    field,
    code,
    message: MESSAGES[error.keyword]?.(error) ?? error.message ?? 'is not valid',
  };
}
