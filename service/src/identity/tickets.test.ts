import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testConfig } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { createTicketRules } from './ticket-rules.ts';

/** Kinds of `createTicketRules` that are stored otherwise: own table, and as `login`. */
const WITHOUT_PURPOSE = ['registration', 'registered'];

describe('lifetimes of tickets and of their codes', () => {
  test.each([
    ['the ticket longer', { LOGIN_TICKET_TTL: '1200', EMAIL_CODE_TTL: '600' }],
    ['the code longer', { LOGIN_TICKET_TTL: '120', EMAIL_CODE_TTL: '300' }],
    ['both alike', { LOGIN_TICKET_TTL: '240', EMAIL_CODE_TTL: '240' }],
    ['the defaults', {}],
  ])('%s: no code outlives its ticket, none is shorter than it may be', (_, settings) => {
    const config = testConfig(settings);
    const { LOGIN_TICKET_TTL: login_s, EMAIL_CODE_TTL: code_s } = config;
    const rules = createTicketRules(config);
    const lifetimes = Object.entries(rules).map(([kind, rule]) => [
      kind,
      rule.lifetime_s,
      rule.codeLifetime_s,
    ]);
    const shorter_s = Math.min(login_s, code_s);
    expect(lifetimes).toEqual([
      ['registration', code_s, code_s],
      ['registered', 120, 120],
      ['login', login_s, shorter_s],
      ['reauthenticate', login_s, shorter_s],
      ['reset', code_s, code_s],
      ['email_change', code_s, code_s],
      ['passkey', 300, 0],
    ]);
  });
});

test('attempts and resends of each kind of ticket', () => {
  const rules = Object.entries(createTicketRules(testConfig()));
  expect(rules.map(([kind, { tries, resends }]) => [kind, tries, resends])).toEqual([
    ['registration', 5, 0],
    ['registered', 5, 5],
    ['login', 5, 5],
    ['reauthenticate', 5, 5],
    ['reset', 5, 0],
    ['email_change', 5, 0],
    ['passkey', 5, 0],
  ]);
});

describe.each(RUN_ENGINES)('purposes on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('the constraint of the table permits each purpose and no other', async () => {
    const { rows } = await database.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
        where conname = 'ticket_purpose_check'`,
    );
    const permitted = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const purposes = Object.keys(createTicketRules(testConfig())).filter(
      (kind) => !WITHOUT_PURPOSE.includes(kind),
    );
    expect(permitted.toSorted()).toEqual(purposes.toSorted());
  });
});
