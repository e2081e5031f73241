import Type from 'typebox';
import { expect, test } from 'vitest';
import { jsonBytesMax } from './max-body-size.ts';

const Batch = Type.Object({
  items: Type.Array(
    Type.Object({
      text: Type.String({ maxLength: 100 }),
      at: Type.String({ format: 'date-time' }),
      count: Type.Integer(),
      is_on: Type.Boolean(),
    }),
    { maxItems: 50 },
  ),
});

test('the longest document of a schema is accepted, in any encoding of its strings', () => {
  const item = {
    text: '😀'.repeat(100),
    at: '2026-11-10T12:00:00.000000000+00:00',
    count: -Number.MAX_SAFE_INTEGER,
    is_on: false,
  };
  const pretty = JSON.stringify({ items: Array.from({ length: 50 }, () => item) }, null, 8);
  const inAscii = pretty.replace(
    /[\ud800-\udfff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  expect(JSON.parse(inAscii)).toEqual(JSON.parse(pretty));
  expect(inAscii.length).toBeLessThanOrEqual(jsonBytesMax(Batch));
  expect(jsonBytesMax(Batch)).toBeLessThan(inAscii.length * 2);
});

test.each([
  ['a text', Type.Object({ text: Type.String() })],
  ['a list', Type.Object({ list: Type.Array(Type.Integer()) })],
  ['anything', Type.Object({ any: Type.Unknown() })],
])('%s without an end has no longest document', (_name, schema) => {
  expect(() => jsonBytesMax(schema)).toThrow(TypeError);
});
