/**
 * Texts of the service itself are in the language of the reader: mails in that of the console, the
 * stop page in that of the browser.
 */
import { expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const stage = startBrowserFixture();

test.each([
  ['zh', 'en-GB', '邮箱', '昵称', '密码', '创建账户', '您的注册验证码'],
  ['en', 'zh-CN', 'Email', 'Nickname', 'Password', 'Create account', 'Your code to register'],
])('who has chosen %s in a browser of %s gets mails in it', async (...row) => {
  const [language, locale, email, nickname, password, create, subject] = row;
  const { page, close } = await stage.open({ locale });
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('combobox').selectOption(language);
  await page.getByRole('button', { name: create }).click();
  await page.getByLabel(email).fill(person.email);
  await page.getByLabel(nickname).fill(person.nickname);
  await page.getByLabel(password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: create }).click();
  await expect
    .poll(
      async () =>
        (
          await expectOk<{ to: string; subject: string }[]>(`${stage.service.baseUrl}/dev/mail`)
        ).find(({ to }) => to === person.email)?.subject,
    )
    .toBe(subject);
  await close();
});

test.each([
  ['zh-CN', '无法处理该请求', '请返回应用重新开始'],
  ['en-GB', 'The request cannot be answered', 'Go back to the application'],
])('the page where a sign-in stops speaks %s', async (locale, title, wayOn) => {
  const { page, close } = await stage.open({ locale, viewport: { width: 320, height: 640 } });
  await page.goto('/oauth2/authorize?client_id=edge-console&response_type=code');
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByText(wayOn).waitFor();
  await page.getByText('invalid_request').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await close();
});
