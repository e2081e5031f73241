import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../service/test/support/databases.ts';
import { renderTimeZones } from './generate-time-zones.ts';

test.each(ENGINES)(
  'the list of time zones matches PostgreSQL on %s (node scripts/generate-time-zones.ts)',
  async (engine) => {
    const committed = readFileSync(
      new URL('../service/src/lib/time-zones.txt', import.meta.url),
      'utf8',
    );
    const database = await openTestDatabase(engine);
    expect(await renderTimeZones(database)).toBe(committed);
    await database.close();
  },
);
