/** A version is activated from an hour that has not begun: what changes, and when. */
import { useState } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Select } from '../../components/field.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { serverNow_ms } from '../../lib/server-clock.ts';
import { dateTimeText } from '../../lib/time-text.ts';
import { DifferenceTable } from '../differences/difference-table.tsx';
import type { Values } from '../differences/list-differences.ts';
import { activateRules, type RulesVersion } from '../queries.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { rulesFieldText } from './rules-words.ts';

const HOUR_MS = 3_600_000;
/** Two days. */
const HOURS_OFFERED = 48;

/** The full hours to come, the next one first. */
function nextHours(now_ms: number): string[] {
  const next = Math.floor(now_ms / HOUR_MS) + 1;
  return Array.from({ length: HOURS_OFFERED }, (_, at) =>
    new Date((next + at) * HOUR_MS).toISOString(),
  );
}

interface Props {
  readonly version: RulesVersion;
  /** The rules that apply, or are about to. */
  readonly active: Values;
  readonly onClose: () => void;
}

export function ActivateSheet({ version: { version, rules }, active, onClose }: Props) {
  const { t, language } = useTranslation('operator');
  const currency = useRewardCurrency();
  const operation = useOperation();
  const [hours] = useState(() => nextHours(serverNow_ms()));
  const [from, setFrom] = useState(hours[0] ?? '');
  return (
    <Confirm
      title={t('rules.activateTitle', { version })}
      onClose={onClose}
      confirmLabel={t('rules.activate')}
      outcome={operation}
      onConfirm={() => operation.run(() => activateRules(version, from), onClose)}
    >
      <p>{t('rules.activateLead')}</p>
      <Select
        name="from"
        label={t('rules.activeFrom')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        options={hours.map((hour) => ({ value: hour, label: dateTimeText(hour, language) }))}
      />
      <DifferenceTable
        before={active}
        after={rules as Values}
        none={t('rules.noChangesToActive')}
        nameOf={(path) => rulesFieldText(t, path, currency)}
      />
    </Confirm>
  );
}
