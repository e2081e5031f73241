import { expect, test } from 'vitest';
import { FINAL_CODES } from '../../sdk/src/device-connection.ts';
import { describeStatus } from './describe-status.ts';
import { texts as english } from './texts/en.ts';
import { LANGUAGES } from './texts/index.ts';

test('a status is described by its code in each language', () => {
  for (const texts of LANGUAGES.values()) {
    const [before, after] = texts.stopped.split('{{reason}}');
    expect(describeStatus(texts, { state: 'stopped', code: 'device_deleted' })).toBe(
      `${before}${texts.reasons.deleted}${after}`,
    );
  }
  expect(describeStatus(english, { state: 'waiting', code: 'unreachable' })).toBe(
    'Trying again: the service cannot be reached.',
  );
  expect(describeStatus(english, { state: 'online' })).toBe('Online.');
});

test.each([undefined, 'failed', 'a code of a later version', 'disconnected by you', 'toString'])(
  'the code %s has the general text',
  (code) => {
    expect(describeStatus(english, { state: 'waiting', ...(code !== undefined && { code }) })).toBe(
      'Trying again: an unexpected problem occurred.',
    );
  },
);

test('a sign-out that the service has not heard of says so', () => {
  const status = { state: 'stopped', code: 'unreachable', isLocal: true } as const;
  expect(describeStatus(english, status)).toBe(
    'Stopped: signed out on this device only (the service cannot be reached).',
  );
});

test('what ends a device has a text of its own', () => {
  for (const texts of LANGUAGES.values())
    for (const code of [...FINAL_CODES, 'replaced'])
      expect(describeStatus(texts, { state: 'stopped', code }), code).not.toContain(
        texts.reasons.other,
      );
});
