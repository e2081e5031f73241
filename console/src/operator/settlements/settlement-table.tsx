/** Runs of the settlement, a row each; a row opens its run. */
import { useRewardCurrency } from '../../api/currencies.ts';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import type { Settlement } from './queries.ts';
import { useRunText } from './run-text.ts';
import classes from './settlements.module.css';

/** With the class of each. */
const COLUMNS = {
  run: classes.run,
  hour: classes.hour,
  state: classes.state,
  lines: `${table.amount} ${classes.lines}`,
  amount: table.amount,
  version: `${table.amount} ${classes.version}`,
} as const;

interface RowProps {
  readonly settlement: Settlement;
  readonly onOpen: () => void;
}

function Row({ settlement, onOpen }: RowProps) {
  const { t, language } = useTranslation('operator');
  const { kindText, stateText } = useRunText();
  const currency = useRewardCurrency();
  const number = new Intl.NumberFormat(language);
  const { id, hour, state, lines, posted, refused, failure, rule_version: version } = settlement;
  return (
    <tr>
      <td className={COLUMNS.run}>
        <button
          type="button"
          className={table.open}
          aria-label={t('settlements.open', { id, what: kindText(settlement) })}
          onClick={onOpen}
        >
          {kindText(settlement)}
        </button>
        <span className={table.small}>#{id}</span>
      </td>
      <td className={COLUMNS.hour}>
        <DateTime iso={hour} isShort />
      </td>
      <td className={COLUMNS.state}>
        <span data-failed={failure !== undefined || refused > 0 || undefined}>
          {stateText(settlement)}
        </span>
      </td>
      <td className={COLUMNS.lines}>
        {posted === lines
          ? number.format(lines)
          : t('settlements.done', { posted: number.format(posted), lines: number.format(lines) })}
      </td>
      <td className={COLUMNS.amount}>
        {/* The total is known once everything is paid. */}
        {state === 'settled' ? (
          <Amount value={settlement.amount} currency={currency} size="sm" />
        ) : (
          '–'
        )}
      </td>
      <td className={COLUMNS.version}>{version === 0 ? '–' : version}</td>
    </tr>
  );
}

interface TableProps {
  readonly settlements: readonly Settlement[];
  readonly onOpen: (settlement: Settlement) => void;
}

export function SettlementTable({ settlements, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('view.settlements')}
      columns={(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((key) => ({
        key,
        label: t(`settlements.column.${key}`),
        className: COLUMNS[key],
      }))}
    >
      {settlements.map((settlement) => (
        <Row key={settlement.id} settlement={settlement} onOpen={() => onOpen(settlement)} />
      ))}
    </DenseTable>
  );
}
