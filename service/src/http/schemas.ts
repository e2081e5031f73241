/** Schema parts that every domain uses. */
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { LISTED_MAX } from '../db/index.ts';
import type { ExactDecimal } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import { DECIMAL_FORM, DECIMAL_PATTERN } from '../lib/money.ts';

const INT32_MAX = 2_147_483_647;
export const PAGE_SIZE_MAX = 20;

/**
 * An exact decimal in a response: a JSON number token, or a string with `Prefer: amounts=string`.
 */
export function Decimal(description: string) {
  return Type.Unsafe<ExactDecimal>({ type: ['number', 'string'], format: 'decimal', description });
}

/** An exact decimal in a request: number or string, kept digit by digit (see `parseExact`). */
export function DecimalInput(description: string) {
  return Type.Unsafe<string>({
    type: 'string',
    pattern: DECIMAL_PATTERN,
    maxLength: 93,
    description: `${description} A JSON number or string; ${DECIMAL_FORM}.`,
  });
}

/** ISO-8601, UTC, milliseconds, `Z`. */
export function Timestamp(description: string) {
  return Type.String({ format: 'date-time', description });
}

/** An optional member of a body that is off unless it is true; `canonicalBody` leaves it out. */
export function Flag(description: string) {
  return Type.Boolean({ description: `${description} Default: false.` });
}

/** A calendar day in UTC, `yyyy-MM-dd`. */
export function Day(description: string) {
  return Type.String({ format: 'calendar-day', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });
}

/** An int64 id, below 2^53. */
export function Id(description: string) {
  return Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
}

/** An id in a path: text here, because a wrong one is not found; an integer in the document. */
export function PathId(description: string) {
  return Type.String({ format: 'path-id', description });
}

/** A body that may be left out, and is then an empty object (see `fillOptionalBody`). */
export function OptionalBody<T extends TProperties>(properties: T) {
  return Type.Unsafe<Static<Type.TObject<T>>>({
    ...Type.Object(properties, { additionalProperties: false, description: 'May be left out.' }),
    type: ['object', 'null'],
  });
}

/** An answer that is text of another media type than JSON. */
export function TextAnswer(mediaType: string, description: string) {
  return { description, content: { [mediaType]: { schema: Type.String({ description }) } } };
}

/** One of a closed set of values. */
export function StringEnum<const T extends readonly string[]>(values: T, description: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description });
}

export const PageParameters = {
  current: Type.Integer({ minimum: 1, maximum: INT32_MAX, description: 'Page number from 1.' }),
  size: Type.Integer({
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    description: 'Records per page, 1 to 20.',
  }),
} satisfies TProperties;

export const PageQuery = Type.Object(PageParameters);
export type PageQuery = Static<typeof PageQuery>;

/** The page envelope. */
export function Page<T extends TSchema>(record: T) {
  return Type.Object(
    {
      records: Type.Array(record),
      total: Type.Integer({ minimum: 0, description: 'Records on all pages.' }),
      size: Type.Integer({ description: 'Records per page, as asked.' }),
      current: Type.Integer({ description: 'Page number, as asked.' }),
      pages: Type.Integer({ minimum: 0, description: 'Number of pages.' }),
    },
    { description: 'A page of records; a page past the end is empty and carries the true total.' },
  );
}

/** The page envelope of a list that is not counted to its end. */
export function CappedPage<T extends TSchema>(record: T) {
  return Type.Object(
    {
      ...Page(record).properties,
      is_capped: Type.Optional(
        Type.Boolean({
          description: `True for more than ${LISTED_MAX} records; \`total\` is then ${LISTED_MAX}.`,
        }),
      ),
      estimated_total: Type.Optional(
        Type.Integer({
          minimum: LISTED_MAX + 1,
          description:
            'With `is_capped`, for some lists: how many records there are by the statistics of ' +
            'the database. It can be several times too many or too few.',
        }),
      ),
    },
    {
      description:
        `A page of records; a page past the end is empty. At most ${LISTED_MAX} are counted and ` +
        'reachable; deeper pages are 400 `too_deep`: narrow the filter.',
    },
  );
}

/** Wraps records in that envelope. @throws `invalid_parameter` for a page that is too deep */
export function toCappedPage<R>(
  records: R[],
  total: number,
  { current, size }: PageQuery,
  estimate?: number,
) {
  if (total <= LISTED_MAX) return toPage(records, total, { current, size });
  if (current * size > LISTED_MAX)
    throw fieldError('current', 'too_deep', `exceeds ${LISTED_MAX} records: narrow the filter`);
  return {
    ...toPage(records, LISTED_MAX, { current, size }),
    is_capped: true,
    ...(estimate !== undefined && { estimated_total: estimate }),
  };
}

/** Wraps records in the page envelope. */
export function toPage<R>(records: R[], total: number, { current, size }: PageQuery) {
  return { records, total, size, current, pages: Math.ceil(total / size) };
}

/** Optional in the schema, because the error of a missing key has its own code. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Required. 1 to 255 printable ASCII characters; the same key and body get the same ' +
        'response, another body is 409.',
    }),
  ),
});

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'URN of the code.' }),
    title: Type.String({ description: 'What the code means.' }),
    status: Type.Integer({ description: 'HTTP status.' }),
    detail: Type.String({ description: 'Explanation of this error.' }),
    code: Type.String({ description: 'Stable code; see `x-failure-codes`.' }),
    request_id: Type.String({ description: 'Identifier of the request in the logs.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Path of the field.' }),
          code: Type.String({ description: 'What is wrong with it.' }),
          message: Type.String({ description: 'The same in words.' }),
        }),
        { description: 'Of `invalid_parameter`: the fields that are wrong.' },
      ),
    ),
    challenge_type: Type.Optional(
      StringEnum(
        ['proof_of_work', 'turnstile', 'hcaptcha'],
        'Of `challenge_required`: who can solve the challenge.',
      ),
    ),
    challenge: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Of `challenge_required`: a challenge of ALTCHA (v2) with `parameters` and ' +
            '`signature`, or the `site_key` of the widget. The request is repeated with the ' +
            'solution in the header `Challenge-Solution`.',
        },
      ),
    ),
  },
  {
    $id: 'Problem',
    additionalProperties: true,
    description: 'RFC 9457 problem document. Some codes add members, for example `tries_left`.',
  },
);

/** What protocol endpoints answer instead. */
export const OAuthProblem = Type.Object(
  {
    error: Type.String({ description: 'Code of RFC 6749 or an extension of it.' }),
    error_description: Type.Optional(Type.String({ description: 'The same in words.' })),
  },
  {
    $id: 'OAuthProblem',
    additionalProperties: true,
    description: 'Error of a protocol endpoint (RFC 6749, 5.2).',
  },
);
