import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createAccentShades } from '@edge-account/sdk/accent';
import { describe, expect, test } from 'vitest';
import { htmlPage } from './html-page.ts';
import { TOKENS } from './page-look.ts';

const FRAME = { tag: 'en', direction: 'ltr', title: 'Sign out' };
const HASH = 'a'.repeat(64);
const logo = { path: `/brand/logos/${HASH}`, width: 96, height: 48 };
const darkLogo = { path: `/brand/logos/${'b'.repeat(64)}`, width: 48, height: 48 };
const HOSTILE = `"><script>alert(1)</script><img src='x' onerror=alert(1)> $& $'`;

const sheetsOf = (html: string): string[] =>
  [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css = '']) => css);
const sourceOf = (css: string): string =>
  `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

test('the colours are those of the console', () => {
  const tokens = readFileSync(
    new URL('../../../console/src/theme/tokens.css', import.meta.url),
    'utf8',
  );
  const lines = TOKENS.match(/--[a-z-]+: [^;]+;/g) ?? [];
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !tokens.includes(line))).toEqual([]);
});

describe('a page', () => {
  test('without a brand has the mark of the service, and takes only its sheet and typeface', () => {
    const { html, policy } = htmlPage({ name: 'Edge Account' }, FRAME, '<p>Done</p>');
    const sheets = sheetsOf(html);
    expect(sheets).toHaveLength(1);
    expect(policy).toBe(
      `default-src 'none'; style-src ${sourceOf(sheets[0] ?? '')}; font-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(html).toContain('<title>Sign out · Edge Account</title>');
    expect(html).toContain('<span>Edge Account</span>');
    expect(html).toContain('<svg');
    const [preload = ''] = html.match(/<link\b[^>]*>/g) ?? [];
    const [, font = ''] = / href="(\/assets\/inter-[\w-]+\.woff2)"/.exec(preload) ?? [];
    expect(preload).toMatch(/^<link rel="preload" as="font" type="font\/woff2" crossorigin /);
    expect(sheets[0]).toContain(`font-display: swap; font-weight: 100 900;\n  src: url('${font}')`);
    expect(existsSync(new URL(`../../../console/dist${font}`, import.meta.url))).toBe(true);
    expect(html.replace(preload, '')).not.toMatch(/<(img|link|script|source)\b|\bstyle=/);
  });

  test('has the shades of the accent, each under a policy of its own', () => {
    const accents = ['#fff3b0', '#2563eb', '#fff3b0', undefined, undefined];
    const shown = accents.map((accent) => {
      const { html, policy } = htmlPage({ name: 'A', ...(accent && { accent }) }, FRAME, '');
      const [css = ''] = sheetsOf(html);
      expect(policy).toContain(`style-src ${sourceOf(css)};`);
      if (accent === undefined) expect(css).not.toContain(':root:root');
      else {
        const { light, dark } = createAccentShades(accent);
        expect(css).toContain(`:root:root{--link:light-dark(${light.filled}, ${dark.filled})`);
      }
      return css;
    });
    expect(shown[0]).toBe(shown[2]);
    expect(new Set(shown).size).toBe(3);
  });

  test('has its logo from this service, for each theme', () => {
    const both = htmlPage({ name: 'A', logo, darkLogo }, FRAME, '');
    expect(both.policy).toContain("; img-src 'self'; ");
    expect(both.html).toContain(
      `<source media="(prefers-color-scheme: dark)" srcset="${darkLogo.path}" width="48" ` +
        `height="48"><img src="${logo.path}" width="96" height="48" alt="">`,
    );
    expect(both.html).toContain(`<link rel="icon" href="${logo.path}">`);
    const one = htmlPage({ name: 'A', logo }, FRAME, '');
    expect(one.html).toContain(`<img class="plate" src="${logo.path}"`);
    expect(one.html).not.toContain('<source');
  });

  test('attack: a name or a path stays text', () => {
    const hostile = { ...logo, path: HOSTILE };
    const look = { name: HOSTILE, logo: hostile, darkLogo: hostile };
    const { html } = htmlPage(look, FRAME, '');
    expect(html).not.toContain('<script');
    expect(html.match(/<img\b/g)).toHaveLength(1);
    expect(html).not.toContain("'x'");
    expect(html).toContain('<title>Sign out · &quot;&gt;&lt;script&gt;alert(1)');
    expect(html).toContain('$&amp; $&#39;</span>');
  });
});
