/** Steps of users in the console, by labels and names, like a screen reader. */
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { readCode } from '../../../service/test/demo/http-client.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly nickname: string;
}

export function newPerson(nickname = 'Ada'): Person {
  return {
    email: `${nickname.toLowerCase()}.${randomUUID().slice(0, 8)}@example.test`,
    password: `correct horse ${randomUUID()}`,
    nickname,
  };
}

/** The heading of the first page after the sign-in. */
export function overview(page: Page): Locator {
  return page.getByRole('heading', { name: 'Earned today' });
}

/** A complete code is sent without a button. */
async function enterCode(page: Page, baseUrl: string, email: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(await readCode(baseUrl, email));
}

/** Fills in the registration and its code; the browser is signed in afterwards. */
export async function signUp(page: Page, baseUrl: string, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Nickname').fill(person.nickname);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await enterCode(page, baseUrl, person.email);
}

/** The same from the first page to the overview. */
export async function signUpFromStart(page: Page, baseUrl: string, person: Person): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await signUp(page, baseUrl, person);
  await overview(page).waitFor();
}

export async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Second factors' }).waitFor();
}

/** Signs in by password and email code. */
export async function signIn(page: Page, baseUrl: string, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await enterCode(page, baseUrl, person.email);
}
