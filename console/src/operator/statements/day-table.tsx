/** Days of an account of the house that have bills; a row opens the bills of its day. */
import { Link } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { UtcDay } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { fromUnits, toUnits } from '../../lib/money-text.ts';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import type { HouseDay } from './queries.ts';
import classes from './statements.module.css';

function Row({ day }: { readonly day: HouseDay }) {
  const { t, language } = useTranslation('operator');
  const { date, opening_balance: opening, closing_balance: closing } = day;
  return (
    <tr>
      <td className={classes.day}>
        <Link
          to="/operator"
          search={(all) => ({ ...all, by: undefined, beginTime: date, endTime: date })}
          className={table.open}
          aria-label={t('statements.openDay', { day: date })}
        >
          <UtcDay day={date} />
        </Link>
      </td>
      <td className={`${table.amount} ${classes.count}`}>
        <span className={table.wide}>{new Intl.NumberFormat(language).format(day.bills)}</span>
        <span className={table.narrow}>{t('statements.billCount', { count: day.bills })}</span>
      </td>
      <td className={table.amount}>
        <Amount value={fromUnits(toUnits(closing) - toUnits(opening))} isSigned size="sm" />
      </td>
      <td className={`${table.amount} ${classes.balance}`}>
        <Amount value={closing} size="sm" />
      </td>
    </tr>
  );
}

/** With the class of each. */
const COLUMNS = {
  day: classes.day,
  bills: `${table.amount} ${classes.count}`,
  change: table.amount,
  closing: `${table.amount} ${classes.balance}`,
} as const;

export function DayTable({ days }: { readonly days: readonly HouseDay[] }) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('statements.byDay')}
      columns={(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((key) => ({
        key,
        label: t(`statements.column.${key}`),
        className: COLUMNS[key],
      }))}
    >
      {days.map((day) => (
        <Row key={day.date} day={day} />
      ))}
    </DenseTable>
  );
}
