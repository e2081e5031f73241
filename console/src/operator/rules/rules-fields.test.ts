import { expect, test } from 'vitest';
import { fieldsOf, parseJson, type Rules, toFields, toRules } from './rules-fields.ts';

const RULES: Rules = {
  uptime: { amount: '0.5' },
  traffic: [
    { category: 'video', amount: '0.123456789012345678' },
    { category: '*', amount: '0.35' },
  ],
  referral: [{ percent: '10', uptime_hours: 24, distinct_addresses: 1 }],
  campaigns: [
    {
      name: 'Winter',
      percent: '5',
      from: '2026-12-01T00:00:00Z',
      before: '2027-01-01T00:00:00Z',
      device_type: 'TERMINAL',
    },
  ],
  penalty: { amount: '1' },
  limits: { devices_per_user: 100, gb_per_device_hour: 50 },
};

test('fields give back the rules that they were made of, with every digit', () => {
  expect(toRules(toFields(RULES))).toEqual(RULES);
});

test('empty fields are left out', () => {
  expect(toRules(toFields({}))).toEqual({});
  expect(toFields({}).limits.devices_per_user).toBe('');
});

test('what is wrong stays as it was typed, for the service to name it', () => {
  const fields = toFields(RULES);
  const [level] = fields.referral;
  if (!level) throw new Error('there is no level');
  const wrong = toRules({ ...fields, referral: [{ ...level, uptime_hours: 'a day' }] });
  expect(wrong).toMatchObject({ referral: [{ uptime_hours: 'a day' }] });
});

test('rules that were written by hand are shown where the form has a place for them', () => {
  expect(fieldsOf(RULES)).toEqual(toFields(RULES));
  expect(fieldsOf({ uptime: { amount: 2.5 } })?.uptime).toBe('2.5');
  for (const value of [
    undefined,
    null,
    7,
    'text',
    [],
    { nonsense: 1 },
    { uptime: 3 },
    { uptime: { amount: '1', unit: 'hour' } },
    { traffic: { category: 'web' } },
    { campaigns: [{ name: 'x', percent: '1', from: 'soon', before: 'later' }] },
    { limits: { devices_per_user: 1, more: 2 } },
  ])
    expect([value, fieldsOf(value)]).toEqual([value, undefined]);
});

test('a text that is no JSON has no value', () => {
  expect(parseJson('{')).toBeUndefined();
  expect(parseJson('{"uptime":{}}')).toEqual({ uptime: {} });
});
