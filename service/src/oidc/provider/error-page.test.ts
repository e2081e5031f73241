import { expect, test } from 'vitest';
import { errorPage } from './error-page.ts';

const LOOK = { name: 'Acme' };
const description = '<b>missing</b> required parameter';
const htmlOf = (error: string, language: 'en' | 'zh'): string =>
  errorPage(LOOK, { error, description }, language).html;

test.each([
  ['en', 'lang="en" dir="ltr"', 'The request cannot be answered', 'Go back to the application'],
  ['zh', 'lang="zh-CN" dir="ltr"', '无法处理该请求', '请返回应用'],
] as const)(
  'in %s it says what to do, and the technical reason last',
  (language, tag, title, wayOn) => {
    const page = htmlOf('invalid_request', language);
    expect(page).toContain(`<html ${tag}>`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page.indexOf(wayOn)).toBeGreaterThan(0);
    expect(page.indexOf('&lt;b&gt;missing&lt;/b&gt; required parameter')).toBeGreaterThan(
      page.indexOf(wayOn),
    );
    expect(htmlOf('server_error', language)).not.toContain(page.match(/<\/h1><p>([^<]+)/)?.[1]);
  },
);
