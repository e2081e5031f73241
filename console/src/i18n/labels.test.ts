import { expect, test } from 'vitest';
import { catalogueOf } from '../../test/support/catalogues.ts';
import {
  capabilityText,
  deviceName,
  eventText,
  programText,
  referenceText,
  signInMethodText,
  trafficKindText,
} from './labels.ts';
import { createTranslate } from './translate.ts';

const english = createTranslate(catalogueOf('en'), 'en', 'common');
const chinese = createTranslate(catalogueOf('zh'), 'zh', 'common');
const device = {
  node_id: 'node-1',
  name: 'Chrome on Windows 11',
  browser: 'Chrome',
  os: 'Windows 11',
};

test('a device without a name is described in the user’s language; a given name is kept', () => {
  expect(deviceName(english, device)).toBe('Chrome on Windows 11');
  expect(deviceName(chinese, device)).toBe('Windows 11 上的 Chrome');
  expect(deviceName(chinese, { ...device, name: 'Lamp on Desk' })).toBe('Lamp on Desk');
  expect(deviceName(chinese, { ...device, name: '' })).toBe('node-1');
});

test('an event names its application; the console is named by what it is', () => {
  const type = 'application_allowed';
  expect(eventText(english, { type, details: { client_id: 'w', client_name: 'Weather' } })).toBe(
    'Application allowed: Weather',
  );
  expect(
    eventText(chinese, { type, details: { client_id: 'edge-console', client_name: 'Edge' } }),
  ).toBe('已授权应用：本控制台');
  expect(eventText(english, { type: 'signed_in', details: {} })).toBe('Signed in');
});

test('known traffic categories and capabilities are translated, unknown ones are kept', () => {
  expect(['web', 'video', 'Weather maps'].map((kind) => trafficKindText(chinese, kind))).toEqual([
    '网页',
    '视频',
    'Weather maps',
  ]);
  expect(['bandwidth', 'compute', 'x.y'].map((can) => capabilityText(chinese, can))).toEqual([
    '带宽',
    '计算',
    'x.y',
  ]);
  expect([trafficKindText(english, 'web'), capabilityText(english, 'compute')]).toEqual([
    'Web pages',
    'Computing',
  ]);
});

test('a sign-in is named in words, each once', () => {
  expect(signInMethodText(english, ['pwd', 'hwk', 'mfa'])).toBe('Password + Passkey');
  expect(signInMethodText(chinese, ['pwd', 'email', 'mfa'])).toBe('密码 + 邮件验证码');
  expect(signInMethodText(english, ['hwk', 'user', 'mfa'])).toBe('Passkey');
  expect(signInMethodText(english, ['fed', 'face', 'mfa'])).toBe('Other account or wallet + face');
});

test('a reference to a withdrawal names it; others stay as they were written', () => {
  expect(referenceText(english, 'payout:12')).toBe('Withdrawal 12');
  expect(referenceText(chinese, 'payout:12')).toBe('提现 12');
  expect(referenceText(english, 'payout:12/fee')).toBe('payout:12/fee');
  expect(referenceText(english, 'Invoice 7')).toBe('Invoice 7');
});

test('a program is named with its system, or by what is known of them', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/147.0.0.0 Safari/537.36';
  expect(programText(english, chrome)).toBe('Chrome on Windows');
  expect(programText(chinese, chrome)).toBe('Windows 上的 Chrome');
  expect(programText(chinese, 'curl/8.5.0')).toBe('curl');
  expect(programText(chinese, 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101')).toBe('Linux');
  expect(programText(chinese, '')).toBe('');
});
