import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RETENTION } from '../service/src/retention.ts';
import { PAGE, renderPrivacyPage } from './write-privacy-docs.ts';

test('docs/privacy.md is current (npm run docs)', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(renderPrivacyPage());
});

test('it has each rule of retention, with its time and a reason', () => {
  const page = renderPrivacyPage();
  for (const { table, reason } of RETENTION) {
    expect(page).toContain(`| \`${table}\``);
    expect(page).toContain(reason);
    expect(reason).not.toBe('');
  }
  expect(page).toContain('| `security_event` | 400 days after it is made |');
  expect(page).toContain(
    '| `conversion`, where `converted_at is null` | 1 hour after it expires |',
  );
});
