import { expect, test } from 'vitest';
import { countStatements } from './count-statements.ts';

test('an exported declaration counts once; blocks and imports do not count', () => {
  const source = `
    import { a } from './a.ts';
    export const b = a;
    export function c(): void {
      if (b) { return; }
    }
    interface D { readonly e: string }
  `;
  expect(countStatements(source)).toBe(5);
});
