import Type from 'typebox';
import { expect, test } from 'vitest';
import { type BodyShape, canonicalBody } from './canonical-body.ts';
import { DecimalInput, Flag, Timestamp } from './schemas.ts';

const Item = Type.Object({
  amount: DecimalInput('How much.'),
  event_at: Type.Optional(Timestamp('When.')),
  note: Type.Optional(Type.String()),
  may_overdraw: Type.Optional(Flag('Passes.')),
  is_sure: Type.Boolean(),
});
const Body = Type.Object({
  items: Type.Array(Item),
  atomic: Type.Optional(Flag('All or nothing.')),
}) as BodyShape;

const formOf = (body: unknown): string => JSON.stringify(canonicalBody(body, Body));
const item = { amount: '1.5', is_sure: false };

test.each([
  ['the order of members', { is_sure: false, amount: '1.5' }],
  ['zeros at the end of a fraction', { ...item, amount: '1.50' }],
  ['a flag that is off', { ...item, may_overdraw: false }],
])('%s is no difference', (_name, same) => {
  expect(formOf({ items: [same], atomic: false })).toBe(formOf({ items: [item] }));
});

test.each(['2026-11-01T10:00:00.000Z', '2026-11-01T11:00:00+01:00', '2026-11-01T10:00:00.0Z'])(
  '%s is the same instant',
  (event_at) => {
    const plain = { ...item, event_at: '2026-11-01T10:00:00Z' };
    expect(formOf({ items: [{ ...item, event_at }] })).toBe(formOf({ items: [plain] }));
  },
);

test.each([
  ['another amount', { ...item, amount: '1.05' }],
  ['a flag that is on', { ...item, may_overdraw: true }],
  ['an instant', { ...item, event_at: '2026-11-01T10:00:00Z' }],
  ['a member that is required', { ...item, is_sure: true }],
  ['text that looks like an instant', { ...item, note: '2026-11-01T10:00:00Z' }],
])('%s is a difference', (_name, other) => {
  expect(formOf({ items: [other] })).not.toBe(formOf({ items: [item] }));
});

test('text that is no instant stays as it is, as do texts of other members', () => {
  const odd = { ...item, event_at: '2026-02-30T10:00:00Z', note: '2026-11-01T10:00:00Z' };
  expect(JSON.parse(formOf({ items: [odd, 7, null] })).items).toEqual([odd, 7, null]);
});
