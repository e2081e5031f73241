import { expect, test } from 'vitest';
import { shortDateTimeText } from './time-text.ts';

test('a row tells the year only where it is not this one', () => {
  const now = new Date('2026-07-15T12:00:00Z');
  expect(shortDateTimeText('2026-06-15T12:00:00.000Z', 'en', now)).not.toContain('2026');
  expect(shortDateTimeText('2025-06-15T12:00:00.000Z', 'en', now)).toContain('2025');
  expect(shortDateTimeText('2025-06-15T12:00:00.000Z', 'zh', now)).toContain('2025年6月15日');
});
