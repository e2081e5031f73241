import { expect, test } from 'vitest';
import { lintDocument } from './check-openapi.ts';

const COMPLETE = {
  openapi: '3.1.0',
  info: {
    title: 'Example',
    version: '1.0.0',
    description: 'A document without a fault.',
    contact: { name: 'Example', url: 'https://account.edge.test' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: 'https://account.edge.test' }],
  tags: [{ name: 'things', description: 'Things.' }],
  security: [],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'List things',
        description: 'All of them.',
        tags: ['things'],
        responses: { 200: { description: 'The things.' }, 400: { description: 'A problem.' } },
      },
    },
  },
};

test('a complete document has no finding', async () => {
  expect(await lintDocument(COMPLETE)).toEqual([]);
});

test('both linters report what is missing', async () => {
  const { get } = COMPLETE.paths['/things'];
  const { operationId: _id, description: _description, ...rest } = get;
  const findings = await lintDocument({
    ...COMPLETE,
    paths: { '/things': { get: { ...rest, tags: ['unknown'] } } },
  });
  expect(findings.some((finding) => finding.endsWith('(redocly operation-operationId)'))).toBe(
    true,
  );
  for (const rule of ['operation-description', 'operation-tag-defined'])
    expect(findings.filter((finding) => finding.endsWith(`(spectral ${rule})`))).toHaveLength(1);
});
