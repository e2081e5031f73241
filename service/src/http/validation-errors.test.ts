import { Ajv } from 'ajv';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { Day, DecimalInput, StringEnum } from './schemas.ts';
import { type AjvError, toFieldFailure } from './validation-errors.ts';

const Form = Type.Object(
  {
    amount: DecimalInput('Price.'),
    day: Type.Optional(Day('First day.')),
    kind: Type.Optional(StringEnum(['A', 'B'], 'Kind.')),
    lines: Type.Optional(Type.Array(Type.Object({ n: Type.Integer() }))),
  },
  { additionalProperties: false },
);
const validate = new Ajv({
  strict: false,
  verbose: true,
  formats: { 'calendar-day': () => false },
}).compile(Form);

test.each([
  [{}, 'amount', 'is required'],
  [
    { amount: '1e5' },
    'amount',
    new RegExp(
      '^does not have the right form: Price\\. A JSON number or string; plain decimal, ' +
        'no exponent, at most 60 digits before the point and 30 after it$',
    ),
  ],
  [{ amount: true }, 'amount', /^must be string: Price\. A JSON number or string/],
  [{ amount: '1', other: 1 }, 'other', 'is unknown'],
  [{ amount: '1', day: '2026-02-30' }, 'day', 'must be a day that exists, as YYYY-MM-DD'],
  [{ amount: '1', kind: 'C' }, 'kind', 'must be one of A, B'],
  [{ amount: '1', lines: [{ n: 1 }, {}] }, 'lines.1.n', 'is required'],
  ['text', 'body', /^must be object/],
])('%j: %s', (body, field, message) => {
  expect(validate(body)).toBe(false);
  const found = toFieldFailure(validate.errors?.[0] as AjvError);
  expect(found.field).toBe(field);
  expect(found.message).toMatch(message);
});
