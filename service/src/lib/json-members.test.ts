import { expect, test } from 'vitest';
import { findRepeatedMember, measureJson } from './json-members.ts';

test.each([
  ['{}', 0, 1],
  ['1', 0, 0],
  ['{"a":1,"a":2}', 2, 1],
  ['[{"a:b":":"},{"c\\":":[[]]}]', 2, 4],
  ['{"a" : {"b"\n:\t"\\\\"}, "c": "{\\"d\\": 1}"}', 3, 2],
])('%s has %i members in %i levels', (text, members, depth) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(measureJson(text)).toEqual({ members, depth });
});

test.each([
  ['{"a":1,"b":2,"a":1}', 'a'],
  ['[{"a":1},{"a":{"b":1, "b" :2}}]', 'b'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":[{"x":1}],"c":{"x":2},"":0,"":1}', ''],
  ['{"say \\"a\\"":1,"say \\"a\\"":1}', 'say "a"'],
  ['{"a":{"a":{"a":"a"}},"b":["a","a"]}', undefined],
  ['{"a":"{\\"b\\":1,\\"b\\":2}"}', undefined],
])('%s repeats %j', (text, name) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(findRepeatedMember(text)).toBe(name);
});
