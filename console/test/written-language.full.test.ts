/**
 * Texts of the service itself are in the language of the reader: mails in that of the console, the
 * stop page in that of the browser.
 */
import { expect, test } from 'vitest';
import { readLanguage, textsOf } from '../../service/src/lib/language.ts';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { catalogueOf } from './support/catalogues.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const stage = startBrowserFixture();

test.each([
  ['zh', 'en-GB'],
  ['es-419', 'en-GB'],
  ['en', 'zh-CN'],
])('who has chosen %s in a browser of %s gets mails in it', async (language, locale) => {
  const { signIn } = catalogueOf(language);
  const { page, close } = await stage.open({ locale });
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('combobox').selectOption(language);
  await page.getByRole('button', { name: signIn.createAccount }).click();
  await page.getByLabel(signIn.email).fill(person.email);
  await page.getByLabel(signIn.register.nickname).fill(person.nickname);
  await page.getByLabel(signIn.password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: signIn.register.submit }).click();
  await expect
    .poll(
      async () =>
        (
          await expectOk<{ to: string; subject: string }[]>(`${stage.service.baseUrl}/dev/mail`)
        ).find(({ to }) => to === person.email)?.subject,
    )
    .toBe(textsOf(readLanguage(language)).mails.registration.subject);
  await close();
});

test.each([
  ['zh-CN', 'zh'],
  ['es-MX', 'es'],
  ['en-GB', 'en'],
] as const)('the page where a sign-in stops speaks %s', async (locale, language) => {
  const { title, nextStep } = textsOf(language).errorPage;
  const { page, close } = await stage.open({ locale, viewport: { width: 320, height: 640 } });
  await page.goto('/oauth2/authorize?client_id=edge-console&response_type=code');
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByText(nextStep).waitFor();
  await page.getByText('invalid_request').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await close();
});
