import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PERSON_FILES } from '../service/src/person-data/files.ts';
import { LEFT_OUT } from '../service/src/person-data/left-out.ts';
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
  expect(page).toContain(
    '| `security_event` | 400 days after it is made (`SECURITY_EVENTS_KEPT_DAYS`) |',
  );
  expect(page).toContain(
    '| `conversion`, where `converted_at is null` | 1 hour after it expires |',
  );
});

test.each([
  ['passkey', 'as long as the account'],
  ['community_note', 'as long as the account'],
  ['device', 'for ever; what identifies is overwritten'],
  ['traffic_hour', 'for ever, under the number of the user'],
  ['entry', 'for ever: the books'],
])('it says of %s that it is kept %s', (table, kept) => {
  const rows = renderPrivacyPage()
    .split('\n')
    .filter((row) => row.startsWith(`| \`${table}\` |`));
  expect(rows).not.toEqual([]);
  for (const row of rows) expect(row.split(' | ')[2]).toMatch(new RegExp(`^${kept}`));
});

test('each table that is kept for a time is in the archive, or named with the reason', () => {
  const named = new Set([
    ...PERSON_FILES.flatMap(({ tables }) => tables),
    ...Object.keys(LEFT_OUT),
  ]);
  expect(RETENTION.filter(({ table }) => !named.has(table))).toEqual([]);
});
