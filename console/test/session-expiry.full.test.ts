/** A session that lasts no longer than a token is renewed before its end. */
import { expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { newPerson, signUpFromStart } from './support/user-flows.ts';

const stage = startBrowserFixture({ LOGIN_TOKEN_TTL: '60' });

test('a session that cannot be extended is not renewed with every call', async () => {
  const { page, consoleErrors } = await stage.open();
  await signUpFromStart(page, stage.service.baseUrl, newPerson());
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/oauth2/authorize') asked.push(request.url());
  });
  for (const place of ['Wallets', 'Devices', 'Community', 'Security']) {
    await page.getByRole('navigation').getByRole('link', { name: place }).click();
    await page.getByRole('heading', { name: place, level: 1, exact: true }).waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  }
  expect(asked.length).toBeLessThanOrEqual(1);
  expect(consoleErrors).toEqual([]);
});
