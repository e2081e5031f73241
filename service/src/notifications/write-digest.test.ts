import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../lib/language.ts';
import { writePush } from './push/write-push.ts';
import { sentenceOf, writeDigest } from './write-digest.ts';

const REWARD = {
  id: 1,
  kind: 'reward_day',
  code: 'reward_day',
  details: { day: '2026-11-22', amount: '18.489038952573333329', currency: 'EDGE' },
  created_at: new Date('2026-11-23T01:10:00Z'),
} as const;
const SENTENCES: Readonly<Record<Language, string>> = {
  en: 'You earned 18.48 EDGE on Nov 22, 2026 (UTC)',
  es: 'Ganaste 18.48 EDGE el 22 nov 2026 (UTC)',
  zh: '2026年11月22日（UTC）您获得了 18.48 EDGE',
};

test.each(LANGUAGES)('in %s a reward is cut for people, and its day is a date', (language) => {
  expect(sentenceOf(language, REWARD)).toBe(SENTENCES[language]);
  const push = writePush([REWARD], { language, serviceName: 'Acme' });
  expect(JSON.parse(push.toString())).toMatchObject({ body: SENTENCES[language] });
  // West of UTC the day stays that of the service.
  const mail = writeDigest({
    ...{ to: 'ada@example.test', userId: 7, language, timeZone: 'America/Los_Angeles' },
    ...{ listUrl: 'https://account.example.test/', unsubscribeUrl: 'https://account.example.test' },
    ...{ notifications: [REWARD], total: 1 },
  });
  expect(mail.subject).toBe(SENTENCES[language]);
  expect(mail.text).toContain(`- ${SENTENCES[language]} (`);
});

test.each(LANGUAGES)('in %s no amount of 18 decimals is written in full', (language) => {
  const codes = [
    ...['deposit_credited', 'deposit_below_minimum', 'deposit_on_hold', 'deposit_reversed'],
    ...['deposit_rejected', 'payout_confirmed', 'payout_rejected', 'payout_failed'],
  ];
  const details = { id: '7', amount: '0.000012345678901234', currency: 'EDGE' };
  for (const code of codes)
    expect(sentenceOf(language, { code, details }), code).toMatch(/(^|\D)0\.000012 EDGE/);
});
