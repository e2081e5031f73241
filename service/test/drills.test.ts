/** The drills of `npm run drill`: they are listed, and lead to a section that exists. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DrillReport } from '../../drills/harness/drill.ts';
import { DRILL_NAMES, loadDrill } from '../../drills/harness/list-drills.ts';
import { runDrill } from '../../drills/harness/run-drill.ts';
import { readDockerfile } from '../../drills/support/dockerfile.ts';
import { findEarlierVersion } from '../../drills/support/earlier-version.ts';

const read = (page: string): string =>
  readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');

const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

test.each(DRILL_NAMES)('%s is listed, and says what an operator does', async (name) => {
  const drill = await loadDrill(name);
  expect(drill.name).toBe(name);
  const [page = '', anchor] = drill.guide.split('#');
  expect(anchorsOf(page)).toContain(anchor);
  expect(read('operations.md')).toContain(`| \`${name}\` |`);
});

test('what does not hold, an error and a lack differ, and everything is closed', async () => {
  const closed: string[] = [];
  const lines: string[] = [];
  const drill = {
    ...{ name: 'trial', summary: 'a trial', guide: 'operations.md#drills' },
    async run(report: DrillReport): Promise<void> {
      report.closing(() => closed.push('first'));
      report.closing(() => closed.push('last'));
      report.skip('a part: no disk');
      report.check('holds', true);
      report.equal('lost', 1, 0);
      report.limit('took', 2.04, { atMost: 1, unit: 's' });
      throw new Error('broken');
    },
  };
  const findings = await runDrill(drill, (line) => lines.push(line));
  expect(findings?.map(({ isMet, isTimed }) => [isMet, isTimed])).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [false, false],
  ]);
  expect(closed).toEqual(['last', 'first']);
  expect(lines.join('\n')).toMatch(/FAIL {2}took: 2 s \(at most 1 s\)[\s\S]*Error: broken/);
  expect(lines.at(-1)).toContain('FAIL (3 of 4), 1 skipped');
  const lacking = { ...drill, missing: () => 'no disk' };
  expect(await runDrill(lacking, (line) => lines.push(line))).toBeUndefined();
  expect(lines.at(-1)).toBe('trial: skipped: no disk');
});

const earlier = findEarlierVersion();

test.skipIf(earlier === undefined)(
  'the version that an upgrade begins with has the first migrations (skipped without a history)',
  () => {
    const folder = 'service/migrations';
    const root = new URL('../../', import.meta.url);
    const today = readdirSync(new URL(folder, root)).sort();
    const listed = execFileSync('git', ['ls-tree', '--name-only', `${earlier}:${folder}`], {
      cwd: root,
    });
    const names = listed.toString().trim().split('\n');
    expect(names).toEqual(today.slice(0, names.length));
    expect(names.length).toBeLessThan(today.length);
  },
);

test('a Dockerfile is read whole, or refused', () => {
  const stages = readDockerfile(`# a comment
FROM node:24 AS build
WORKDIR /src
COPY . .
RUN one \\
  # a comment between
  && two
FROM node:24-slim
COPY --from=build /src/a*.tgz /src/b ./target/
USER node
ENV HOST=0.0.0.0 PORT=80
EXPOSE 80
STOPSIGNAL SIGINT
HEALTHCHECK --interval=10s --timeout=3s \\
  CMD ["check", "it"]
ENTRYPOINT ["program"]
CMD ["serve"]
`);
  expect(stages).toEqual([
    {
      ...{ base: 'node:24', name: 'build', entrypoint: [], command: [], stopSignal: 'SIGTERM' },
      steps: [
        { kind: 'workdir', folder: '/src' },
        { kind: 'copy', sources: ['.'], target: '.' },
        { kind: 'run', line: 'one && two' },
      ],
    },
    {
      ...{ base: 'node:24-slim', entrypoint: ['program'], command: ['serve'] },
      ...{ stopSignal: 'SIGINT', healthcheck: ['check', 'it'] },
      steps: [
        { kind: 'copy', from: 'build', sources: ['/src/a*.tgz', '/src/b'], target: './target/' },
        { kind: 'user', name: 'node' },
        { kind: 'env', values: { HOST: '0.0.0.0', PORT: '80' } },
      ],
    },
  ]);
  for (const line of [
    ...['RUN orphan', 'FROM a\nADD b c', 'FROM a\nONBUILD RUN b', 'FROM a\nCOPY --chown=b c d'],
    ...['FROM a\nENV B="c d"', 'FROM a\nCOPY $B c', 'FROM a AS', 'FROM a\nCMD serve'],
  ])
    expect(() => readDockerfile(line), line).toThrow();
});

test('the Dockerfile of this repository has no instruction that the drill leaves out', () => {
  const file = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const stages = readDockerfile(file);
  expect(stages.map(({ name }) => name)).toEqual(['build', undefined]);
  const last = stages.at(-1);
  expect(last?.steps.filter(({ kind }) => kind === 'user')).toHaveLength(1);
  expect(
    [last?.entrypoint, last?.command, last?.healthcheck].map((words) => words?.length ?? 0),
  ).not.toContain(0);
});
