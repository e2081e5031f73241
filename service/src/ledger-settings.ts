/** Settings of the archive of the ledger. */
import Type from 'typebox';
import { checkUrl } from './lib/check-url.ts';

export const LEDGER_SETTINGS = {
  LEDGER_ARCHIVE_TO: Type.Optional(
    Type.String({
      description:
        'Where the ledger is archived to each day, one file for each signed head: ' +
        '`file:///DIRECTORY`, which must exist. Absent: nowhere.',
    }),
  ),
  LEDGER_KEPT_MONTHS: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 1200,
      description:
        'Months after which bills of rewards are packed, and their rows removed from `entry` and ' +
        '`transfer`, once they are archived. Bills, statements and exports stay as they are. ' +
        'Needs `LEDGER_ARCHIVE_TO` and `REWARD_KEPT_DAYS`. Absent: never.',
    }),
  ),
};

/** @param problems what is wrong is added here */
export function checkLedgerSettings(
  config: {
    readonly LEDGER_ARCHIVE_TO?: string | undefined;
    readonly LEDGER_KEPT_MONTHS?: number | undefined;
    readonly REWARD_KEPT_DAYS?: number | undefined;
  },
  problems: string[],
): void {
  checkUrl('LEDGER_ARCHIVE_TO', config.LEDGER_ARCHIVE_TO, ['file:'], problems);
  if (config.LEDGER_KEPT_MONTHS === undefined) return;
  if (config.LEDGER_ARCHIVE_TO === undefined)
    problems.push('LEDGER_KEPT_MONTHS needs LEDGER_ARCHIVE_TO: only what is archived is removed');
  if (config.REWARD_KEPT_DAYS === undefined)
    problems.push(
      'LEDGER_KEPT_MONTHS needs REWARD_KEPT_DAYS: lines of rewards name the bills that paid them',
    );
}
