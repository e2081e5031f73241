import { expect, test } from 'vitest';
import { createManualClock } from '../../lib/clock.ts';
import type { OidcContext } from '../context.ts';
import { customizeToken } from './customize-token.ts';
import type { SignIns } from './find-account.ts';

test('the expiry of a token of the provider is recorded before it is signed', async () => {
  const covered: number[] = [];
  const context = {
    baseUrl: 'https://account.example',
    clock: createManualClock('2026-11-20T10:00:00Z'),
    expiry: { cover: async (exp_s: number) => covered.push(exp_s) },
  } as unknown as OidcContext;
  const payload = { iat: 1, exp: 3601, aud: 'https://account.example', client_id: 'a', scope: '' };
  const customize = customizeToken(context, { of: () => undefined } as unknown as SignIns);
  await customize(undefined, { kind: 'AccessToken' }, { payload });
  expect(payload.exp).toBe(Date.parse('2026-11-20T11:00:00Z') / 1000);
  expect(covered).toEqual([payload.exp]);
});
