import { expect, test } from 'vitest';
import { errorPage } from './error-page.ts';

const WHY = '<b>missing</b> required parameter';

test.each([
  ['en', 'lang="en" dir="ltr"', 'The request cannot be answered', 'Go back to the application'],
  ['zh', 'lang="zh-CN" dir="ltr"', '无法处理该请求', '请返回应用'],
] as const)(
  'in %s it says what to do, and the technical reason last',
  (language, tag, title, wayOn) => {
    const page = errorPage('invalid_request', WHY, language);
    expect(page).toContain(`<html ${tag}>`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page.indexOf(wayOn)).toBeGreaterThan(0);
    expect(page.indexOf('&lt;b&gt;missing&lt;/b&gt; required parameter')).toBeGreaterThan(
      page.indexOf(wayOn),
    );
    expect(errorPage('server_error', WHY, language)).not.toContain(
      page.match(/<\/h1><p>([^<]+)/)?.[1],
    );
  },
);
