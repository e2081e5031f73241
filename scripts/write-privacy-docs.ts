/** Writes `docs/privacy.md`: what is kept about users, how long, and why. */
import { writeFileSync } from 'node:fs';
import type { RetentionRule } from '../service/src/db/index.ts';
import { FACTOR_TABLES } from '../service/src/identity/account/close-users.ts';
import { ERASE } from '../service/src/person-data/erase-users.ts';
import { PERSON_FILES } from '../service/src/person-data/files.ts';
import { LEFT_OUT } from '../service/src/person-data/left-out.ts';
import { MONEY_FILES } from '../service/src/person-data/money-files.ts';
import { RETENTION } from '../service/src/retention.ts';
import { SETTING_OF } from '../service/src/retention-settings.ts';

export const PAGE = new URL('../docs/privacy.md', import.meta.url);

const DAY_S = 86_400;

const AFTER: Readonly<Record<string, string>> = {
  expires_at: 'after it expires',
  until: 'after the tokens have expired',
  at: 'after the proof',
  created_at: 'after it is made',
  window_start: 'after its window begins',
};

function describeTime({ table, kept_s, since }: RetentionRule): string {
  const after = AFTER[since] ?? `after ${since}`;
  if (kept_s === 0) return `until it expires`;
  const isDays = kept_s % DAY_S === 0;
  const count = isDays ? kept_s / DAY_S : kept_s / 3600;
  const unit = isDays ? 'day' : 'hour';
  const setting = SETTING_OF[table];
  const chosen = setting === undefined ? '' : ` (\`${setting}\`)`;
  return `${count} ${unit}${count === 1 ? '' : 's'} ${after}${chosen}`;
}

const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

function limited(): string[] {
  const sorted = [...RETENTION].sort((a, b) => (a.table < b.table ? -1 : 1));
  return sorted.map((rule) => {
    const which = rule.where === undefined ? '' : `, where \`${rule.where}\``;
    return line(`\`${rule.table}\`${which}`, describeTime(rule), rule.reason);
  });
}

const EVENTS = line(
  '`event`',
  '7 days after it is made',
  'Pages and servers that were not connected catch up.',
);

const BOOKS = 'for ever: the books must verify, and the operator must account for them';
const ACCOUNT = 'as long as the account; see below for closed ones';
const STRIPPED = 'for ever; what identifies is overwritten when the account is closed, or erased';
const FIGURES = 'for ever, under the number of the user: rewards are proven by it';
/** In what is kept for ever, names and addresses are overwritten. */
const WITH_NAMES: ReadonlySet<string> = new Set(['app_user', 'community_member']);

/** Tables of the statements that erase an account, by their verb. */
const erasedBy = (verb: RegExp): ReadonlySet<string> =>
  new Set(ERASE.flatMap((statement) => verb.exec(statement)?.[1] ?? []));
const DELETED: ReadonlySet<string> = new Set([...erasedBy(/^delete from (\w+)/), ...FACTOR_TABLES]);
const OVERWRITTEN = erasedBy(/^update (\w+)/);

function keptFor(name: string, table: string): string {
  if (MONEY_FILES.some((file) => file.name === name) || name === 'rewards') return BOOKS;
  if (table === 'live_connection') return 'until the connection ends';
  if (DELETED.has(table)) return ACCOUNT;
  return OVERWRITTEN.has(table) || WITH_NAMES.has(table) ? STRIPPED : FIGURES;
}

function unlimited(): string[] {
  const limitedTables = new Set<string>([...RETENTION.map(({ table }) => table), 'event']);
  return PERSON_FILES.filter(({ tables }) => !limitedTables.has(tables[0] ?? '')).map(
    ({ name, tables: [table = ''], description }) =>
      line(`\`${table}\``, description, keptFor(name, table)),
  );
}

const IN_CLEAR: readonly (readonly [what: string, why: string])[] = [
  ['nickname and email address of the account', 'they are searched, compared and unique'],
  [
    '`device.registered_address`, `device_presence.address`',
    'devices are counted by address, against many of one origin; both are overwritten',
  ],
  [
    'names, browser and system of devices, notes on referrals',
    'shown in lists of thousands of rows, which the database sorts and searches',
  ],
  ['mails that wait', 'a relay needs them; they are gone within a day'],
  [
    'remarks and decisions of operators',
    'part of the books; operators must not write names into them',
  ],
];

/** The page as Markdown. */
export function renderPrivacyPage(): string {
  return `# Privacy

What this service keeps about users, how long, and why. The page is generated from the rules by
which rows are deleted (\`service/src/retention.ts\`) and the files of a user's archive
(\`service/src/person-data/\`): \`npm run docs\`. The operator who runs it is the controller; this
page is the technical part of a record of processing (GDPR Art. 30).

## Kept for a time

A job deletes these rows within minutes after their time.

| table | kept | why |
| --- | --- | --- |
${[...limited(), EVENTS].join('\n')}

## Kept longer

| table | content | kept |
| --- | --- | --- |
${unlimited().join('\n')}

## Access and portability

\`GET /me/export\` gives a user everything of the tables above in one archive, after a second factor
(GDPR Art. 15 and 20). Not in it:

| table | why |
| --- | --- |
${Object.entries(LEFT_OUT)
  .map(([table, reason]) => line(`\`${table}\``, reason))
  .join('\n')}

## Closing an account

At once: nickname, email address, password and all factors are erased, all sessions end, and the
address can be registered again.

After \`CLOSED_ACCOUNT_TTL\` (30 days by default): the security log, sessions, consents, notes,
names and addresses of devices and labels of payout addresses are deleted, and the key of the user
is destroyed. Network address, user agent and details in the security log and in sessions are
encrypted under this key from the start. So its destruction also reaches backups, if keys are not
kept in them longer ([operations.md](operations.md#keys-of-users-in-backups)).

Recipient, subject and text of a mail are deleted when it is sent, or when it is given up; its kind,
times and the number of the user stay for 30 days. A mail is in clear while it waits: seconds, or up
to a day if no relay takes it.

In clear, and therefore readable in backups of before until these are deleted:

| what | why it is not encrypted |
| --- | --- |
${IN_CLEAR.map((cells) => line(...cells)).join('\n')}

For ever, under the number of the user: what the second table keeps for ever, among it addresses on
chains and identifiers of devices. The books verify as before, and rewards can still be proven.

An operator who sets \`REWARD_KEPT_DAYS\` moves the rows of \`reward_line\`, \`device_hour\`,
\`traffic_hour\` and \`traffic_report\` to files of the archive after these days, under the number
of the user, too. \`GET /me/export\` has what is in the database; the operator gives what the files
have of a person who asks for it.
`;
}

if (import.meta.main) writeFileSync(PAGE, renderPrivacyPage());
