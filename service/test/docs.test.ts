/**
 * The documents: links resolve, names of the code exist, and each domain and each decision is
 * described.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const SOURCE = 'service/src';
const README_LINES_MAX = 25;
const FOLDERS = readdirSync(join(ROOT, SOURCE), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const READMES = FOLDERS.map((folder) => `${SOURCE}/${folder}/README.md`);
const ADRS = readdirSync(join(ROOT, 'docs/adr')).filter((name) => name !== 'README.md');
const PAGES = globSync(
  [
    '*.md',
    'docs/**/*.md',
    'examples/**/*.md',
    'bench/*.md',
    `${SOURCE}/**/*.md`,
    '.github/**/*.md',
    '*/README.md',
  ],
  { cwd: ROOT, exclude: ['node_modules/**'] },
);
/** Decisions describe the code of their date; later ones supersede them. */
const CURRENT = PAGES.filter((page) => !page.startsWith('docs/adr/') && page !== 'CHANGELOG.md');
/** File names that are patterns. */
const PATTERNS = new Set(['verb-noun.ts', 'verb-noun.test.ts']);
const ADR_HEADER =
  /^# (\d{4})\. \S.*\n\nDate: \d{4}-\d\d-\d\d\n\nStatus: (accepted|superseded by (\d{4}))\n/;

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Matches of a pattern in the text outside fenced blocks: its first group. */
function findAll(page: string, pattern: RegExp): string[] {
  const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

function findBrokenLinks(page: string): string[] {
  return findAll(page, /\]\(([^)\s]+)\)/g)
    .filter((link) => !/^(https?:|mailto:|#)/.test(link))
    .map((link) => link.split('#', 1)[0] ?? '')
    .filter((link) => !existsSync(join(ROOT, dirname(page), link)));
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function findDeadAnchors(page: string): string[] {
  return findAll(page, /\]\(([^)\s]+#[^)\s]+|#[^)\s]+)\)/g)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = '', anchor = ''] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!target.endsWith('.md') || !existsSync(join(ROOT, target))) return false;
      return !findAll(target, /^#{1,6} (.+)$/gm)
        .map(anchorOf)
        .includes(anchor);
    });
}

/**
 * Figures of README's comparison that are not in the newest row of their entry in
 * bench/RESULTS.md.
 */
function findUnmeasuredFigures(): string[] {
  const results = read('bench/RESULTS.md').split('\n');
  return findAll('README.md', /^(\|.*`npm run bench [\w-]+` \|)$/gm).flatMap((row) => {
    const [, name = ''] = /`npm run bench ([\w-]+)`/.exec(row) ?? [];
    const newest = results.findLast((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    const measured = new Set(newest.match(/\d[\d,.]*\d|\d/g));
    return (row.match(/\d[\d,.]*\d|\d/g) ?? [])
      .filter((figure) => !measured.has(figure))
      .map((figure) => `${name}: ${figure}`);
  });
}

/** Where a path in backticks may begin: at the root, in the service, or beside the page. */
function findMissingFiles(page: string): string[] {
  return findAll(page, /`([\w./-]+\.(?:ts|tsx|sql|json|md|yml))`/g)
    .filter((path) => (path.includes('/') || READMES.includes(page)) && !PATTERNS.has(path))
    .filter((path) => !/^(\/|data\/|DATA_DIR\/|dist\/)/.test(path))
    .filter((path) =>
      [ROOT, join(ROOT, SOURCE), join(ROOT, dirname(page))].every(
        (from) => !existsSync(join(from, path)),
      ),
    );
}

/** Names that a page says stand in a file, and that no line of it declares. */
function findMisplacedNames(page: string): string[] {
  return [...read(page).matchAll(/`(\w+)(?:\(\))?` in `([\w./-]+\.ts)`/g)]
    .filter(([, name = '', path = '']) => {
      const declared = `(function|const|class|interface|type) ${name}\\b|^ *${name}:`;
      return !new RegExp(declared, 'm').test(read(path));
    })
    .map(([text]) => `${page}: ${text}`);
}

const PROGRAMS = globSync(`{service,sdk}/src/**/*.ts`, { cwd: ROOT }).map(read).join('\n');
const EXPORTED = new Set(
  [
    ...PROGRAMS.matchAll(
      /^export (?:async )?(?:function\*? |const |interface |type |class )(\w+)/gm,
    ),
  ].map(([, name = '']) => name),
);

/** Names in backticks that only code uses: with a capital letter inside. */
const findUnknownNames = (page: string): string[] =>
  findAll(page, /`([A-Za-z]+[a-z][A-Z]\w*)(?:\(\))?`/g).filter((name) => !EXPORTED.has(name));

/** Tables after all migrations. */
function readTables(): Set<string> {
  const files = globSync('service/migrations/**/*.sql', { cwd: ROOT }).sort();
  const tables = new Set<string>();
  for (const [, verb, name = ''] of files
    .map(read)
    .join('\n')
    .matchAll(/^(create|drop)(?: unlogged)? table (?:if exists )?(\w+)/gm)) {
    if (verb === 'create') tables.add(name);
    else tables.delete(name);
  }
  return tables;
}

/** The sequences in docs/architecture.md. */
const SEQUENCES = [
  ...read('docs/architecture.md').matchAll(/```mermaid\nsequenceDiagram\n([\s\S]*?)```/g),
].map(([, diagram = '']) => diagram);

/** Edges of the import graph in docs/architecture.md. */
function readDrawnGraph(): Map<string, Set<string>> {
  const section = read('docs/architecture.md').split('## Import graph')[1] ?? '';
  const lines = (/```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(section)?.[1] ?? '').split('\n');
  const graph = new Map<string, Set<string>>();
  for (const line of lines) {
    const stages = line.split('-->').map((part) => part.split('&').map((name) => name.trim()));
    for (const [i, sources] of stages.slice(0, -1).entries())
      for (const source of sources.map((name) => name.replace(/\[.*/, '')))
        for (const target of stages[i + 1] ?? [])
          graph.set(source, (graph.get(source) ?? new Set()).add(target));
  }
  return graph;
}

/** Imports between parts of the service: folders, and the files in the graph. */
function readRealGraph(parts: ReadonlySet<string>): Map<string, Set<string>> {
  const partOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.ts$/, '');
  const graph = new Map<string, Set<string>>();
  for (const file of globSync('**/*.ts', { cwd: join(ROOT, SOURCE) })) {
    const source = partOf(file);
    if (file.endsWith('.test.ts') || !parts.has(source)) continue;
    for (const [, path = ''] of read(`${SOURCE}/${file}`).matchAll(
      /(?:from |import\()'(\.[^']+)'/g,
    )) {
      const target = partOf(normalize(join(dirname(file), path)));
      if (target !== source && parts.has(target))
        graph.set(source, (graph.get(source) ?? new Set()).add(target));
    }
  }
  return graph;
}

function findReachable(graph: ReadonlyMap<string, Set<string>>, from: string): Set<string> {
  const reached = new Set<string>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const target of graph.get(next) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        open.push(target);
      }
  return reached;
}

describe('links and names', () => {
  test('there are pages to check', () => {
    expect(PAGES.length).toBeGreaterThan(80);
    const folders = ['console', 'sdk', 'service', 'signer', 'terminal'];
    expect(PAGES).toEqual(expect.arrayContaining(folders.map((folder) => `${folder}/README.md`)));
    expect(EXPORTED.size).toBeGreaterThan(500);
  });

  test('relative links lead to files', () => {
    expect(
      PAGES.flatMap((page) => findBrokenLinks(page).map((link) => `${page}: ${link}`)),
    ).toEqual([]);
  });

  test('anchors lead to headings', () => {
    expect(
      PAGES.flatMap((page) => findDeadAnchors(page).map((link) => `${page}: ${link}`)),
    ).toEqual([]);
  });

  test("the figures of README's comparison stand in bench/RESULTS.md", () => {
    expect(read('README.md').match(/`npm run bench [\w-]+`/g)?.length).toBeGreaterThan(2);
    expect(findUnmeasuredFigures()).toEqual([]);
  });

  test('the sequences of the architecture can be drawn, and name what exists', () => {
    expect(SEQUENCES.length).toBeGreaterThan(5);
    const files = new Set(
      globSync('{service,sdk}/src/**/*.ts', { cwd: ROOT }).map((path) => basename(path)),
    );
    const paths = read('sdk/src/generated/api.ts');
    for (const diagram of SEQUENCES) {
      // Mermaid ends a statement at a semicolon, and a text at a hash.
      expect(diagram).not.toMatch(/[;#]/);
      const named = diagram.match(/[\w/-]+\.ts/g)?.map((path) => basename(path)) ?? [];
      expect(named.filter((name) => !files.has(name))).toEqual([]);
      const requests = diagram.match(/(?<=(GET|POST|PUT) )\/[\w/{}-]+/g) ?? [];
      expect(requests.filter((path) => !paths.includes(`    "${path}": {`))).toEqual([]);
    }
  });

  test('names stand in the files that pages name for them', () => {
    expect(['CONTRIBUTING.md', 'docs/architecture.md'].flatMap(findMisplacedNames)).toEqual([]);
  });

  test('named files exist', () => {
    const missing = CURRENT.flatMap((page) =>
      findMissingFiles(page).map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('named symbols of the code are exported', () => {
    const pages = [...READMES, 'docs/architecture.md', 'CONTRIBUTING.md'];
    const unknown = pages.flatMap((page) =>
      findUnknownNames(page).map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test('the glossary defines each term once', () => {
    const terms = findAll('docs/glossary.md', /^\| ([^|]+?) +\|/gm)
      .filter((term) => term !== 'term' && !term.startsWith('-'))
      .flatMap((term) => term.replace(/ \(.*\)/, '').split(', '));
    expect(terms.length).toBeGreaterThan(100);
    expect(terms.filter((term, i) => terms.indexOf(term) !== i)).toEqual([]);
  });
});

describe('domains', () => {
  test.each(READMES)('%s is there and short', (page) => {
    expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
    expect(read(page)).toContain('**Open first**');
  });

  test('each table belongs to one domain', () => {
    const owned = READMES.flatMap((page) =>
      findAll(page, /^\*\*Tables\*\*: (.*)$/gm).flatMap((line) =>
        [...line.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name),
      ),
    );
    expect(owned.toSorted()).toEqual([...readTables(), 'schema_migration'].toSorted());
  });

  test('the import graph matches the code', () => {
    const drawn = readDrawnGraph();
    const parts = new Set([...drawn].flatMap(([source, targets]) => [source, ...targets]));
    expect(FOLDERS.filter((folder) => !parts.has(folder))).toEqual([]);
    const real = readRealGraph(parts);
    const undrawn = [...real].flatMap(([source, targets]) =>
      [...targets].filter((target) => !findReachable(drawn, source).has(target)),
    );
    const unreal = [...drawn].flatMap(([source, targets]) =>
      [...targets].filter((target) => real.get(source)?.has(target) !== true),
    );
    expect({ undrawn, unreal }).toEqual({ undrawn: [], unreal: [] });
  });
});

describe('decisions', () => {
  test.each(ADRS)('%s has a number, a title, a date and a status', (name) => {
    const [, number, , successor] = ADR_HEADER.exec(read(`docs/adr/${name}`)) ?? [];
    expect(number).toBe(name.slice(0, 4));
    if (successor !== undefined)
      expect(ADRS.some((other) => other.startsWith(`${successor}-`))).toBe(true);
  });

  test('numbers are used once, and the index lists each decision once', () => {
    const numbers = ADRS.map((name) => Number(name.slice(0, 4))).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    const listed = findAll('docs/adr/README.md', /\]\((\d{4}-[^)]+)\)/g);
    expect(listed.toSorted()).toEqual(ADRS.toSorted());
  });
});
