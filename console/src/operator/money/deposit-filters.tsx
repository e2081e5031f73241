/** Which deposits are listed: by status, network, currency and person. */
import { useCurrencies } from '../../api/currencies.ts';
import { Select } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { useTranslation } from '../../i18n/index.ts';
import { depositStatusText } from '../../i18n/labels.ts';
import { FindNumber } from '../find-number.tsx';
import type { DepositStatus, OperatorDepositFilter } from './queries.ts';

/** Tokens that are not supported. */
const UNKNOWN = 'UNKNOWN';

interface Props {
  readonly statuses: readonly DepositStatus[];
  readonly filter: OperatorDepositFilter;
  readonly onChange: (filter: OperatorDepositFilter) => void;
}

export function DepositFilters({ statuses, filter, onChange }: Props) {
  const { t } = useTranslation('operator');
  const currencies = (useCurrencies().data ?? []).filter(({ networks }) => networks.length > 0);
  const names: Readonly<Record<string, string>> = Object.assign(
    {},
    ...currencies.map(({ network_names }) => network_names),
  );
  const any = { value: '', label: t('deposits:all') };
  return (
    <search className={`${form.filters} ${form.inRow}`}>
      <FindNumber
        label={t('money.person')}
        value={filter.userId === undefined ? '' : String(filter.userId)}
        onFind={(id) => onChange({ ...filter, userId: id === undefined ? undefined : Number(id) })}
      />
      <Select
        label={t('payouts.status')}
        value={filter.status ?? ''}
        onChange={(event) =>
          onChange({
            ...filter,
            status: statuses.find((value) => value === event.currentTarget.value),
          })
        }
        options={[
          ...statuses.map((value) => ({ value, label: depositStatusText(t, value) })),
          { value: '', label: t('audit.all') },
        ]}
      />
      <Select
        label={t('payouts.network')}
        value={filter.currencyNetWork ?? ''}
        onChange={(event) =>
          onChange({ ...filter, currencyNetWork: event.currentTarget.value || undefined })
        }
        options={[any, ...Object.entries(names).map(([value, label]) => ({ value, label }))]}
      />
      <Select
        label={t('money.currency')}
        value={filter.currency ?? ''}
        onChange={(event) =>
          onChange({ ...filter, currency: event.currentTarget.value || undefined })
        }
        options={[
          any,
          ...currencies.map(({ code }) => code),
          { value: UNKNOWN, label: t('money.unknownCurrency') },
        ]}
      />
    </search>
  );
}
