/**
 * Command lines in the documentation work: through npm with `--`, or by npx; with existing options.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRILL_NAMES } from '../../drills/harness/list-drills.ts';
import { runCommandHere } from './support/run-command.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
];
const COMMANDS = readdirSync(join(ROOT, 'service/src/commands')).map((name) =>
  name.replace(/\.ts$/, ''),
);
const MENTION = /(.{0,16})\bedge-account (?:-- )?([a-z][a-z-]+)([^`#]*)/g;

interface Mention {
  readonly page: string;
  readonly text: string;
  readonly name: string;
  readonly options: readonly string[];
  readonly isWhole: boolean;
}

function mentionsIn(page: string): Mention[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  return lines.flatMap((line) =>
    [...line.matchAll(MENTION)]
      .filter(([, , name = '']) => COMMANDS.includes(name))
      .map(([text, before = '', name = '', rest = '']) => ({
        page,
        text,
        name,
        options: [...rest.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option),
        isWhole:
          before.endsWith('npx ') ||
          (before.endsWith('npm run ') && text.includes('edge-account -- ')),
      })),
  );
}

const mentions = PAGES.flatMap(mentionsIn);

test('every command line in the documentation passes its options through npm', () => {
  expect(mentions.length).toBeGreaterThan(10);
  expect(
    mentions.filter(({ isWhole }) => !isWhole).map(({ page, text }) => `${page}: ${text}`),
  ).toEqual([]);
});

test('every documented option exists', async () => {
  for (const { page, name, options } of mentions) {
    const { usage } = (await import(`../src/commands/${name}.ts`)) as { usage: string };
    for (const option of options) expect(usage, `${page}: --${option}`).toContain(`--${option}`);
  }
});

test('every documented drill exists', () => {
  const named = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`npm run drill ([a-z-]+)`/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => name !== 'all' && !DRILL_NAMES.includes(name))).toEqual([]);
});

test('options that npm consumed stop the command, and a command without options is refused', {
  timeout: 60_000,
}, async () => {
  const env = { npm_lifecycle_event: 'edge-account', DATA_DIR: '/nowhere' };
  const swallowed: [string[], Record<string, string>][] = [
    [['chains', 'configure', 'ETHEREUM'], { npm_config_rpc_url: 'https://node.example' }],
    [['operator', 'create'], { npm_config_scope: 'operator:metrics' }],
    [['verify-proof', 'proof.json', 'keys.json'], { npm_config_keys: 'true' }],
  ];
  for (const [args, kept] of swallowed)
    expect(await runCommandHere(args, { ...env, ...kept })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm run edge-account -- '),
    });
  // npm's setting of the same name.
  expect(
    await runCommandHere(['operator'], { ...env, npm_config_scope: '@example' }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('operator create'),
  });
});

test('a command without its required arguments shows its usage', { timeout: 60_000 }, async () => {
  for (const args of [
    ['verify-proof'],
    ['verify-proof', '--keys', 'keys.json'],
    ['verify-proof', 'a', 'b'],
  ])
    expect(await runCommandHere(args, { DATA_DIR: '/nowhere' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('verify-proof FILE [--keys KEYS]'),
    });
});
